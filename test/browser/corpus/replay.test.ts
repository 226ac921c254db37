import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { siteHost } from '../../../benchmark/task/task.ts';
import { readSuite } from '../../../benchmark/task/suite.ts';
import { readFolder } from '../../conformance/read-suite-folder.ts';
import { CORPORA, hasCorpus } from '../../shared-data.ts';
import { connectCdp, openPage, type CdpClient, type Page } from '../interception/cdp-client.ts';
import { startFixtureSite, type ArrivedRequest, type FixtureSite } from '../interception/fixture-site.ts';
import { startInterceptionSession, type InterceptionSession } from '../interception/session.ts';
import { matching, missing, type EvalSchema, type Sent } from './task-requests.ts';

/**
 * Every task of the public corpora that has a real pattern, on its own host names: the target must not arrive, and a request
 * that misses it by one detail must arrive as it was sent. The sites are ours: the gateway maps each host name to one local
 * server and terminates its TLS. All tasks share one browser.
 */
const PLACEHOLDER = '__PLACEHOLDER_WILL_NOT_MATCH__';
const suites = ['v1', 'v1-lite', 'claw-eval'].filter(hasCorpus);

interface Replayed {
  readonly name: string;
  readonly schema: EvalSchema;
  /** The host of the page that sends. */
  readonly site: string;
}

function tasksOf(suite: string): Replayed[] {
  return readSuite(readFolder(join(CORPORA, suite))).cases.flatMap((one) => {
    const task = JSON.parse(Buffer.from(one.taskBytes).toString('utf8')) as {
      eval_schema: EvalSchema;
      metadata?: { sites_involved?: unknown };
    };
    if (task.eval_schema.url_pattern.includes(PLACEHOLDER)) return [];
    const target = new URL((matching(task.eval_schema)[0] as Sent).url).hostname;
    return [{ name: one.name, schema: task.eval_schema, site: siteHost(task.metadata?.sites_involved) || target }];
  });
}

const tasks = suites.map((suite) => [suite, tasksOf(suite)] as const);

describe.runIf(suites.length > 0)('replay of the public corpora', () => {
  let site: FixtureSite;
  /** Replaces the recorder's control API. */
  let answers: FixtureSite;
  let session: InterceptionSession;
  let cdp: CdpClient;
  let page: Page;
  const use = (evalSchema: unknown): void => session.useTask(evalSchema);

  beforeAll(async () => {
    site = await startFixtureSite();
    answers = await startFixtureSite();
    const urls = tasks.flatMap(([, all]) => all.flatMap(({ schema }) => [...matching(schema), ...missing(schema)]));
    const hosts = new Set([
      ...urls.map(({ url }) => new URL(url).hostname),
      ...tasks.flatMap(([, all]) => all.map((task) => task.site)),
    ]);
    session = await startInterceptionSession({
      evalSchema: {},
      controlPort: answers.port,
      network: { map: [...hosts].map((host) => ({ host, address: `127.0.0.1:${site.port}` })) },
      keepOpen: true,
    });
    cdp = await connectCdp(session.interception.evidenceEndpoint());
    page = await openPage(cdp, 'about:blank');
  });
  afterAll(async () => {
    cdp.close();
    await session.close();
    await site.close();
    await answers.close();
  });

  test('the answer page of the recorder itself is a target like any other', async () => {
    const own = `http://127.0.0.1:${answers.port}`;
    const submit = "fetch('/api/task-submit', { method: 'POST', body: '{}' }).then(() => 'sent', () => 'blocked')";
    use({ url_pattern: '/api/task-submit', method: 'POST' });
    await page.navigate(`${own}/submit`);
    expect(await page.evaluate(submit)).toBe('blocked');
    use({ url_pattern: '/api/another', method: 'POST' });
    expect(await page.evaluate(submit)).toBe('sent');
    const arrived = answers.arrived.filter(({ path }) => path !== '/favicon.ico');
    expect(arrived.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /submit', 'POST /api/task-submit']);
  });

  describe.each(tasks)('%s', (_suite, all) => {
    test.each(all.map((task) => [task.name, task] as const))('%s', async (_name, task) => {
      use(task.schema);
      const from = session.events.length;
      site.clear();
      await page.navigate(`https://${task.site}/`);
      const misses = missing(task.schema);
      const hits = matching(task.schema);
      const passed = await sendAll(page, misses);
      expect(misses.map(({ why }, index) => `${why}: ${passed[index]}`)).toEqual(
        misses.map(({ why }) => `${why}: sent`),
      );
      const blocked = await sendAll(page, hits);
      expect(hits.map(({ why }, index) => `${why}: ${blocked[index]}`)).toEqual(
        hits.map(({ why }) => `${why}: blocked`),
      );

      const arrived = site.arrived.filter(({ path, method }) => method !== 'OPTIONS' && path !== '/favicon.ico');
      expect(arrived.map(lineOf).sort()).toEqual([`GET https://${task.site}/ `, ...misses.map(lineOfSent)].sort());
      // The page may see its request fail before the guard's thread has reported it.
      const blockedFor = (): string[] =>
        session.events.slice(from).flatMap((event) => (event.type === 'blocked' ? [event.reason] : []));
      await expect.poll(blockedFor, { timeout: 5_000, interval: 10 }).toEqual(hits.map(() => 'after-match'));
    });
  });
});

/** Sends all requests from the page, one after another; each is `sent` or `blocked`. */
async function sendAll(page: Page, requests: readonly Sent[]): Promise<string[]> {
  const list = requests.map(({ url, method, headers, body }) => ({
    url,
    method,
    headers,
    body: body?.toString('base64') ?? null,
  }));
  const script = `(async () => {
    const outcomes = [];
    for (const { url, method, headers, body } of ${JSON.stringify(list)}) {
      const bytes = body === null ? undefined : Uint8Array.from(atob(body), (char) => char.charCodeAt(0));
      outcomes.push(await fetch(url, { method, headers, body: bytes }).then(() => 'sent', () => 'blocked'));
    }
    return outcomes;
  })()`;
  return (await page.evaluate(script)) as string[];
}

function lineOf({ method, host, path, body }: ArrivedRequest): string {
  return `${method} https://${host}${path} ${body.toString('base64')}`;
}

function lineOfSent({ method, url, body }: Sent): string {
  return `${method} ${new URL(url).href} ${body?.toString('base64') ?? ''}`;
}
