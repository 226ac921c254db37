import CDP from 'chrome-remote-interface';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeWorkplace, startLocal, type LocalCommand, type Workplace } from './command.ts';

let place: Workplace;
let command: LocalCommand;

beforeEach(() => {
  place = makeWorkplace({ url_pattern: '/api/task-submit', method: 'POST' });
  command = startLocal(['--task', place.task, '--out', place.out, '--headless']);
});
afterEach(async () => {
  command.process.kill('SIGTERM');
  await command.exited;
  place.remove();
});

it('a research task ends with the answer that was submitted on the page', async () => {
  const { cdp = '', control = '' } = await command.next('armed');
  const { hostname: host, port } = new URL(cdp);
  const client = await CDP({ host, port: Number(port), local: true });
  await client.Page.enable();
  const loaded = client.Page.loadEventFired();
  await client.Page.navigate({ url: `${control}/submit` });
  await loaded;
  const evaluate = async (expression: string): Promise<unknown> =>
    (await client.Runtime.evaluate({ expression, awaitPromise: true, returnByValue: true })).result.value;

  // A page must not call the rest of the API: the gateway refuses it, and so does the server.
  const refused = await evaluate("fetch('/api/stop', { method: 'POST' }).then((r) => r.status, () => 'failed')");
  expect(refused).not.toBe(200);

  await client.Runtime.evaluate({
    expression: `document.getElementById('answer').value = 'Forty-two, twice.';
      document.getElementById('submit').click()`,
  });
  expect(await command.next('intercepted')).toMatchObject({ url: `${control}/api/task-submit`, method: 'POST' });
  expect(await command.next('finished')).toMatchObject({ stopReason: 'eval_matched' });
  expect(await command.exited).toBe(0);
  expect(place.json('data/interception.json')).toMatchObject({
    intercepted: true,
    request: { body: { answer: 'Forty-two, twice.' } },
  });
  // Upstream omits its own API from the request log, and keeps it in the interception.
  expect(place.read('data/requests.jsonl')).not.toContain('task-submit');
});
