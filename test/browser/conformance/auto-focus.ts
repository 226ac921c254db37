import { setTimeout as sleep } from 'node:timers/promises';
import type { ConformanceCase } from '../../conformance/case-file.ts';
import { waitForValue } from '../capture/fixtures.ts';
import { openPage, type Page } from '../interception/cdp-client.ts';
import type { RecorderParts } from './recorder-parts.ts';
import { SHOP } from './scenarios.ts';

/** A task that no request matches. */
const NOTHING = { url_pattern: '/never-sent', method: 'POST' };
/** Loading is an action too, and two tabs load in any order. */
const QUIET_MS = 300;

/** Actions and requests in two tabs (`S1`, `S2` of a case), and which tabs (`T1`, `T2`) were brought to the front. */
export async function autoFocus({ input }: ConformanceCase, parts: RecorderParts): Promise<unknown> {
  const acting = input.actions_on_sessions as string[] | undefined;
  const steps = acting?.map((session) => `click on ${session}`) ?? (input.requests as string[]);
  const sessions = [...new Set(steps.map(sessionOf))];
  let activated: string[] = [];
  await parts.run(NOTHING, async () => {
    const tabs = new Map<string, Page>();
    // The tab of the first step is loaded first, so that the other one is in front.
    for (const name of sessions) {
      const url = `https://${SHOP}/start?${name}`;
      tabs.set(name, await openPage(parts.cdp, url));
      // Its load is an action, and brings it to the front when it is reported.
      await waitForValue('the load of a tab', () => parts.capture.kept.rows.some((row) => row.url === url));
    }
    await sleep(QUIET_MS);
    const { sent } = parts.capture.tap;
    const from = sent.length;
    for (const step of steps) await act(step, tabs.get(sessionOf(step)) as Page, parts);
    await sleep(QUIET_MS);
    const name = (id: unknown): string =>
      [...tabs].find(([, page]) => page.targetId === id)?.[0].replace('S', 'T') ?? '?';
    activated = sent
      .slice(from)
      .flatMap((one) => (one.method === 'Target.activateTarget' ? [name(one.params['targetId'])] : []));
  });
  return { activated_targets: activated };
}

function sessionOf(step: string): string {
  return step.split(' ').at(-1) ?? '';
}

async function act(step: string, page: Page, { capture, site }: RecorderParts): Promise<void> {
  const rows = capture.kept.rows.length;
  const path = `/step-${rows}-${site.arrived.length}`;
  const [kind] = step.split(' ');
  if (kind === 'click') {
    await page.evaluate('document.body.click()');
    await waitForValue('the row of a click', () => capture.kept.rows.slice(rows).some(({ type }) => type === 'click'));
  } else if (kind === 'Document') {
    await page.navigate(`https://${SHOP}${path}`);
    await waitForValue('the page load', () => capture.kept.rows.slice(rows).some(({ type }) => type === 'pageLoad'));
  } else if (kind === 'XHR') {
    await page.evaluate(`fetch('${path}').then(() => 1)`);
  } else throw new Error(`no such step: ${step}`);
}
