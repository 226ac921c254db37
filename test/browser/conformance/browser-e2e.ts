import { setTimeout as sleep } from 'node:timers/promises';
import type { InterceptionEvent } from '../../../sidecar/contracts.ts';
import type { ConformanceCase } from '../../conformance/case-file.ts';
import { NotAvailableHere } from '../../conformance/group.ts';
import { openPage, type CdpClient, type Page } from '../interception/cdp-client.ts';
import type { RecorderParts } from './recorder-parts.ts';
import type { CaseEvidence } from './record-case.ts';
import type { Command } from './tap.ts';
import { OTHER, SCENARIOS, SHOP, type Scenario } from './scenarios.ts';

interface Sent {
  readonly url: string;
  readonly path: string;
  readonly method: string;
  /** CDP's resource type of the request; null where upstream saw no request. */
  readonly resourceType: string | null;
}

const PATIENCE_MS = 8_000;
/** A second copy of a request, or one that was missed, would arrive in this time. */
const AFTERWARDS_MS = 120;
/** The time in which the browser would have sent if the feature were on; it takes about 100 ms. */
const SWITCHED_OFF_MS = 800;

/** The outcome of a scenario's request, in the words of the case. */
export async function browserE2e({ id, input }: ConformanceCase, parts: RecorderParts): Promise<unknown> {
  const scenario = SCENARIOS[input.scenario as string];
  if (scenario === undefined)
    throw new NotAvailableHere(`no page is written for the scenario ${JSON.stringify(input.scenario)}`);
  const path = `/${id}/hit`;
  const url = `https://${scenario.elsewhere === true ? OTHER : SHOP}${path}`;
  const sent: Sent = { url, path, method: input.http_method, resourceType: input.resource_type };
  let seen: readonly InterceptionEvent[] = [];
  const written = await parts.run(input.eval_schema, async (events) => {
    seen = events;
    await play(scenario, sent, events, parts.cdp);
  });
  return inCaseWords({
    logged: isLogged(written, sent),
    blocked:
      wasFailed(parts.answersTo(sent)) &&
      isBlocked({ scenario, sent, written, events: seen, schema: input.eval_schema }),
    reached: parts.site.arrived.some((request) => request.path.startsWith(path)),
    switchedOff: scenario.switchedOff === true,
  });
}

async function play(
  scenario: Scenario,
  { url }: Sent,
  events: readonly InterceptionEvent[],
  cdp: CdpClient,
): Promise<void> {
  const page = await openPage(cdp, `https://${SHOP}/start`);
  if (scenario.switchedOff === true) return playSwitchedOff(cdp, page, scenario.script(url));
  await Promise.race([page.evaluate(scenario.script(url)), sleep(PATIENCE_MS)]);
  const end = Date.now() + PATIENCE_MS;
  while (!events.some(({ type }) => type === 'intercepted' || type === 'blocked') && Date.now() < end) await sleep(10);
  await sleep(AFTERWARDS_MS);
}

/** Nothing is sent: the browser must report that it read the page's request, and that its profile turns the feature off. */
async function playSwitchedOff(cdp: CdpClient, page: Page, script: string): Promise<void> {
  const said: string[] = [];
  const listen = (data: unknown): void => {
    const text = (data as Buffer).toString('utf8');
    if (text.includes('"Preload.ruleSetUpdated"')) said.push('read');
    if (text.includes('"disabledByPreference":true')) said.push('off');
  };
  cdp.socket.on('message', listen);
  await cdp.call('Preload.enable', {}, page.sessionId);
  await page.evaluate(script);
  await sleep(SWITCHED_OFF_MS);
  cdp.socket.off('message', listen);
  for (const word of ['read', 'off'])
    if (!said.includes(word)) throw new Error(`the browser did not say "${word}" of the page's speculation rules`);
}

function isLogged({ requests }: CaseEvidence, sent: Sent): boolean {
  const row = requests.find(({ url, method }) => url === sent.url && method === sent.method);
  if (row === undefined) return false;
  if (sent.resourceType !== null && row.resource_type !== sent.resourceType)
    throw new Error(`logged as ${row.resource_type}, upstream as ${sent.resourceType}`);
  return true;
}

/** The guard itself blocked it, as upstream does; the gateway is only the second line of defense. */
function wasFailed(answers: readonly Command[]): boolean {
  const failed = answers.filter(
    ({ method, params }) => method === 'Fetch.failRequest' && params['errorReason'] === 'BlockedByClient',
  );
  return answers.length > 0 && failed.length === answers.length;
}

interface Blocked {
  readonly scenario: Scenario;
  readonly sent: Sent;
  readonly written: CaseEvidence;
  readonly events: readonly InterceptionEvent[];
  readonly schema: unknown;
}

/** Blocked, and recorded correctly: as the run's interception, or as a passive load. */
function isBlocked({ scenario, sent, written, events, schema }: Blocked): boolean {
  const wrong = events.find(({ type }) => type === 'escape' || type === 'lost');
  if (wrong !== undefined) throw new Error(`interception says: ${JSON.stringify(wrong)}`);
  const blocked = events.flatMap((event) =>
    event.type === 'blocked' ? [`${event.reason} ${event.method} ${event.url}`] : [],
  );
  const passive = blocked.includes(`passive ${sent.method} ${sent.url}`);
  if (scenario.passive === true) return passive && written.interception === null;
  if (written.interception === null) return false;
  const {
    intercepted,
    request,
    schema: kept,
  } = written.interception as {
    intercepted: unknown;
    request: { url: string; method: string };
    schema: unknown;
  };
  const same = intercepted === true && request.url === sent.url && request.method === sent.method;
  if (!same || JSON.stringify(kept) !== JSON.stringify(schema))
    throw new Error(`interception.json holds another request: ${request.method} ${request.url}`);
  return true;
}

interface Outcome {
  readonly logged: boolean;
  readonly blocked: boolean;
  readonly reached: boolean;
  readonly switchedOff: boolean;
}

/** Ours is browser-level Fetch, so both parts of a case apply to it. */
function inCaseWords({ logged, blocked, reached, switchedOff }: Outcome): unknown {
  const kept = `${blocked ? 'blocked' : 'not blocked'} and ${logged ? 'logged' : 'not logged'}`;
  const nothing = switchedOff && !logged && !blocked && !reached;
  return {
    upstream_logged: logged,
    upstream_blocked: blocked,
    upstream_reached_server: reached,
    browser_level_fetch_blocked: blocked,
    browser_level_fetch_reached_server: reached,
    required_of_reimplementation: nothing ? 'never sent' : reached ? 'reached the site' : kept,
  };
}
