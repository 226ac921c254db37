import CDP from 'chrome-remote-interface';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeWorkplace, startLocal, type LocalCommand, type LocalEvent, type Workplace } from './command.ts';
import { startShopSite, type ShopSite } from './shop-site.ts';

let site: ShopSite;
let place: Workplace;
let command: LocalCommand | undefined;

beforeAll(async () => {
  site = await startShopSite();
});
afterAll(() => site.close());
beforeEach(() => {
  place = makeWorkplace({ url_pattern: 'shop\\.test/api/order', method: 'POST' });
});
afterEach(async () => {
  command?.process.kill('SIGTERM');
  await command?.exited;
  place.remove();
});

function start(...args: string[]): LocalCommand {
  const map = `shop.test=127.0.0.1:${String(site.port)}`;
  command = startLocal(['--task', place.task, '--out', place.out, '--headless', '--map', map, ...args]);
  return command;
}

/** Opens a page through the DevTools proxy and clicks a button in it. */
async function press({ cdp = '' }: LocalEvent, url: string, script: string): Promise<void> {
  const { hostname: host, port } = new URL(cdp);
  const client = await CDP({ host, port: Number(port), local: true });
  await client.Page.enable();
  // Subscribed first: a small page may have loaded before the reply to navigate.
  const loaded = client.Page.loadEventFired();
  await client.Page.navigate({ url });
  await loaded;
  await client.Runtime.evaluate({ expression: script });
  await client.close();
}

/** Checks the size and hash of every file in the manifest. */
function manifestHolds(): string[] {
  const { files } = place.json('manifest.json') as { files: Record<string, { size: number; sha256: string }> };
  const list = Array.isArray(files)
    ? (files as { path: string; size: number; sha256: string }[])
    : Object.entries(files).map(([path, file]) => ({ path, ...file }));
  for (const { path, size, sha256 } of list) {
    const bytes = readFileSync(join(place.out, path));
    expect({ path, size: bytes.length }).toEqual({ path, size });
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  }
  return list.map(({ path }) => path);
}

describe('a session that reaches its terminal request', () => {
  it('blocks it, ends by itself, and leaves a complete bundle', async () => {
    const { next, exited } = start();
    const armed = await next('armed');
    expect(armed.pids?.browser).toBeGreaterThan(0);
    const before = site.requests.length;
    await press(armed, 'http://shop.test/', "document.getElementById('look').click()");
    await expect.poll(() => site.requests.slice(before)).toContain('POST /api/look');
    await press(armed, 'http://shop.test/', "document.getElementById('order').click()");
    expect(await next('intercepted')).toMatchObject({ url: 'http://shop.test/api/order', method: 'POST' });
    expect(await next('finished')).toMatchObject({ outcome: 'Passed', stopReason: 'eval_matched', bundle: place.out });
    expect(await exited).toBe(0);
    expect(site.requests).not.toContain('POST /api/order');

    const interception = place.json('data/interception.json') as { request: { body: unknown } };
    expect(interception).toMatchObject({
      intercepted: true,
      request: { body: { item: 'lamp' }, body_status: 'complete' },
    });
    expect(place.json('run-meta.json')).toMatchObject({
      intercepted: true,
      test_case: '7-order',
      instruction: 'Order the lamp.',
      result_category: 'intercepted',
    });
    expect(manifestHolds()).toEqual(
      expect.arrayContaining(['data/interception.json', 'data/actions.jsonl', 'data/requests.jsonl']),
    );
    const urls = place
      .read('data/requests.jsonl')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { url: string }).url);
    expect(urls).toEqual(expect.arrayContaining(['http://shop.test/api/look', 'http://shop.test/api/order']));
    expect(place.read('data/actions.jsonl')).toContain('"type":"click"');
  });
});

describe('the network that the browser sees', () => {
  it('counts as one, and does not change after the start, which would break open connections', async () => {
    const { next } = start();
    const { pids, cdp = '' } = await next('armed');
    const { hostname: host, port } = new URL(cdp);
    const client = await CDP({ host, port: Number(port), local: true });
    const { result } = await client.Runtime.evaluate({ expression: 'navigator.onLine' });
    await client.close();
    expect(result.value).toBe(true);
    // The kernel takes up to two seconds to configure its own address.
    await sleep(3_000);
    const table = readFileSync(`/proc/${String(pids?.browser)}/net/if_inet6`, 'utf8');
    expect(
      new Set(
        table
          .trim()
          .split('\n')
          .map((line) => line.trim().split(/\s+/).at(-1)),
      ),
    ).toEqual(new Set(['lo']));
  });
});

describe('a session in which nothing happens', () => {
  it('ends at its time limit, with the files of a run that did not reach its target', async () => {
    const { next, exited } = start('--time-limit', '2');
    expect(await next('finished')).toMatchObject({ outcome: 'TimedOut', stopReason: 'time_limit_exceeded' });
    expect(await exited).toBe(0);
    expect(place.json('data/interception.json')).toMatchObject({
      intercepted: false,
      stop_reason: 'time_limit_exceeded',
    });
    expect(place.json('run-meta.json')).toMatchObject({ intercepted: false, run_flags: { harness: 'human' } });
  });

  it('is finalised by SIGTERM', async () => {
    const { next, exited, process } = start();
    await next('armed');
    process.kill('SIGTERM');
    expect(await next('finished')).toMatchObject({ outcome: 'Cancelled', reason: 'CancelledByUser' });
    expect(await exited).toBe(0);
    manifestHolds();
  });

  it('is finalised when its parent process has exited', async () => {
    const script = `"$0" local --json --headless --task "$1" --out "$2" > "$2.events" 2> /dev/null & wait`;
    const launcher = join(import.meta.dirname, '../../../bin/clawbench');
    const shell = spawn('sh', ['-c', script, launcher, place.task, place.out], { stdio: 'ignore' });
    const events = (): string => (existsSync(`${place.out}.events`) ? readFileSync(`${place.out}.events`, 'utf8') : '');
    await expect.poll(events, { timeout: 90_000 }).toContain('"armed"');
    shell.kill('SIGKILL');
    await expect.poll(events, { timeout: 60_000 }).toContain('"finished"');
    expect(place.json('run-meta.json')).toMatchObject({ intercepted: false });
  });

  it('leaves no process and no folder behind', async () => {
    const { next, exited, process } = start();
    const { pids } = await next('armed');
    const scratch = /--user-data-dir=(.*?)\/browser-tmp/.exec(
      readFileSync(`/proc/${String(pids?.browser)}/cmdline`, 'utf8'),
    )?.[1];
    expect(scratch).toMatch(/clawbench-/);
    process.kill('SIGINT');
    await exited;
    expect(existsSync(`/proc/${String(pids?.recorder)}`)).toBe(false);
    expect(existsSync(`/proc/${String(pids?.browser)}`)).toBe(false);
    expect(existsSync(scratch ?? '')).toBe(false);
    const left = execFileSync('ps', ['-eo', 'args']).toString().split('\n');
    expect(left.filter((line) => line.includes(`${scratch ?? ''}/`))).toEqual([]);
  });
});

describe('a harness', () => {
  it('runs under the shim with the contract of a harness container', async () => {
    const script =
      'env | grep -E "^(CLAWBENCH_|INSTRUCTION|TIME_LIMIT_S)" > "$CLAWBENCH_DATA_DIR/agent.log"; ls my-info >> "$CLAWBENCH_DATA_DIR/agent.log"';
    const { next, exited } = start('--harness', script);
    expect(await next('finished')).toMatchObject({ outcome: 'Failed', stopReason: 'agent_exited' });
    expect(await exited).toBe(0);
    const seen = place.read('data/logs/agent.log');
    for (const word of [
      'INSTRUCTION=Order the lamp.',
      'TIME_LIMIT_S=300',
      'CLAWBENCH_BROWSER_CDP_URL=http://127.0.0.1:',
      'alex_green_resume.pdf',
    ]) {
      expect(seen).toContain(word);
    }
  });
});

describe('a recorder that dies', () => {
  it('takes the browser with it, and the command reports it', async () => {
    const { next, exited } = start();
    const { pids } = await next('armed');
    process.kill(pids?.recorder ?? 0, 'SIGKILL');
    expect(await next('finished')).toMatchObject({ outcome: 'Infrastructure' });
    expect(await exited).toBe(1);
    expect(existsSync(`/proc/${String(pids?.browser)}`)).toBe(false);
  });
});

describe('bad input', () => {
  it.each([
    ['no such task', ['--task', '/no/such/task'], /does not exist/],
    ['a map without port', ['--map', 'shop.test=127.0.0.1'], /HOST=ADDR:PORT/],
    ['a limit that is not a number', ['--time-limit', 'soon'], /number of seconds/],
    ['an unknown option', ['--frobnicate'], /unknown option/],
  ])('is exit code 2 and one sentence: %s', async (_name, args, words) => {
    const { exited, log } = start(...args);
    expect(await exited).toBe(2);
    expect(log()).toMatch(words);
  });

  it('is a task that cannot be run', async () => {
    writeFileSync(join(place.task, 'task.json'), '{"instruction":"x","time_limit":5}');
    const { exited, log } = start();
    expect(await exited).toBe(2);
    expect(log()).toContain('eval_schema');
  });
});
