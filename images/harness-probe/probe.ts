import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTab, type ReplayTab } from '../harness-replay/tab.ts';
import { ask, Refused } from './ask.ts';

/**
 * Performs the steps of `PROBE_STEPS` (JSON) in order. If the Pod has a model, it is asked to repeat each step, and its
 * answer is performed. `{email}`, `{password}` and `{login_url}` in a step are replaced by those in `/my-info`.
 */
interface Step {
  readonly goto?: string;
  /** Expression to evaluate in the page; a promise is awaited. */
  readonly eval?: string;
  /** Expression that has to become true; the page is reloaded until it is. */
  readonly until?: string;
  readonly waitMs?: number;
}

const { env } = process;
const data = env['CLAWBENCH_DATA_DIR'] ?? '/data';
const LOAD_MS = 20_000;

const log = (line: string): void => {
  appendFileSync(join(data, 'probe.log'), `${line}\n`);
};
const said = (role: string, content: unknown): void => {
  appendFileSync(join(data, 'agent-messages.jsonl'), `${JSON.stringify({ role, content })}\n`);
};

const access = {
  baseUrl: env['BASE_URL'] ?? '',
  apiType: env['API_TYPE'] ?? '',
  apiKey: env['API_KEY'] ?? '',
  model: env['MODEL_NAME'] ?? '',
  stream: env['PROBE_STREAM'] === '1',
};

function filled(text: string): string {
  if (!/\{(?:email|password|login_url)\}/.test(text)) return text;
  const info = JSON.parse(readFileSync('/my-info/email_credentials.json', 'utf8')) as Record<string, string>;
  return text.replaceAll(/\{(email|password|login_url)\}/g, (_all, name: string) => info[name] ?? '');
}

async function loaded(tab: ReplayTab, go: () => Promise<unknown>): Promise<void> {
  const load = tab.client.Page.loadEventFired();
  await go();
  await Promise.race([load, sleep(LOAD_MS)]);
}

async function act(tab: ReplayTab, step: Step): Promise<void> {
  const { goto, until } = step;
  if (step.waitMs !== undefined) await sleep(step.waitMs);
  if (goto !== undefined) await loaded(tab, () => tab.client.Page.navigate({ url: filled(goto) }));
  if (step.eval !== undefined) log(`eval: ${JSON.stringify(await tab.evaluate(`return (${filled(step.eval)})`))}`);
  if (until === undefined) return;
  for (let tries = 0; !(await tab.evaluate(`return Boolean(${filled(until)})`)); tries++) {
    if (tries > 60) throw new Error(`${until} did not become true within a minute`);
    await sleep(1000);
    await loaded(tab, () => tab.client.Page.reload({}));
  }
}

async function main(): Promise<void> {
  const tab = await openTab(env['CLAWBENCH_BROWSER_CDP_URL'] ?? 'http://127.0.0.1:9222');
  for (const step of JSON.parse(env['PROBE_STEPS'] ?? '[]') as Step[]) {
    const prompt = `say:${JSON.stringify(step)}`;
    said('user', prompt);
    const answer = access.baseUrl === '' ? JSON.stringify(step) : await ask(access, prompt, log);
    said('assistant', answer);
    await act(tab, JSON.parse(answer) as Step);
  }
  await tab.client.close();
}

try {
  await main();
} catch (error) {
  log(String(error));
  process.exit(error instanceof Refused ? 3 : 1);
}
