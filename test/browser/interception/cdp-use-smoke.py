"""What browser-use does with its client: connects through the DevTools proxy, opens a tab, types, clicks, takes a picture."""

import asyncio
import base64
import json
import sys
import urllib.request

from cdp_use.client import CDPClient


async def main(endpoint: str, url: str) -> None:
    with urllib.request.urlopen(f"{endpoint}/json/version") as response:
        endpoint = json.load(response)["webSocketDebuggerUrl"]
    async with CDPClient(endpoint) as client:
        await client.send.Target.setAutoAttach(
            params={"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True}
        )
        target = await client.send.Target.createTarget(params={"url": url})
        attached = await client.send.Target.attachToTarget(
            params={"targetId": target["targetId"], "flatten": True}
        )
        session = attached["sessionId"]

        async def evaluate(expression: str):
            reply = await client.send.Runtime.evaluate(
                params={"expression": expression, "awaitPromise": True}, session_id=session
            )
            return reply["result"].get("value")

        for _ in range(100):
            if await evaluate("document.readyState + location.href") == f"complete{url}":
                break
            await asyncio.sleep(0.05)
        await evaluate("document.querySelector('#i').focus()")
        await client.send.Input.insertText(params={"text": "cdp-use"}, session_id=session)
        await evaluate("document.querySelector('#b').click()")
        print(await evaluate("document.title"))
        picture = await client.send.Page.captureScreenshot(session_id=session)
        print(len(base64.b64decode(picture["data"])) > 500)
        print(await evaluate("fetch('/hit-cdp-use', { method: 'POST' }).then(() => 'sent', () => 'blocked')"))


asyncio.run(main(sys.argv[1], sys.argv[2]))
