import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { mkdtemp, open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ObservedRequest } from '../../contracts.ts';
import { createPhase, type PhaseState } from '../phase.ts';
import { pausedMessage } from '../pipe/pause.fixture.ts';
import { createMemory } from './memory.ts';
import type { ThreadExit } from './reports.ts';
import { startGuardThread, type GuardThread, type ForwardedReport } from './start.ts';

let dir: string;
let thread: GuardThread;
let phase: PhaseState;
/** What was told, in order. */
let told: string[];
let reports: ForwardedReport[];
let passed: ObservedRequest[];
/** Of all requests, whichever way they came. */
let seen: ObservedRequest[];
let left: ThreadExit[];
/** Whoever is told of something looks for more at once, as the recorder does when it closes. */
let lookAgain: boolean;
const files: FileHandle[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cb-thread-'));
  const memory = createMemory();
  phase = createPhase(memory.phase);
  [told, reports, passed, seen, left, lookAgain] = [[], [], [], [], [], false];
  const tell = (what: string): void => {
    told.push(what);
    if (lookAgain) thread.drain();
  };
  thread = await startGuardThread({
    events: join(dir, 'events.pipe'),
    commands: join(dir, 'commands.pipe'),
    memory,
    evalSchema: { url_pattern: '/pay', method: 'POST' },
    selfTest: { blocked: 'http://self.invalid/', passed: 'http://127.0.0.1:1/' },
    keepOpen: false,
    report: (report) => {
      reports.push(report);
      if (report.kind === 'event' && report.event.type === 'request') seen.push(report.event.request);
      tell(report.kind === 'event' ? report.event.type : report.kind);
    },
    passed: (request) => {
      passed.push(request);
      seen.push(request);
      tell(`passed ${request.url}`);
    },
    left: (why) => {
      left.push(why);
      if (lookAgain) tell('left');
    },
  });
});
afterEach(async () => {
  await thread.close();
  for (const file of files.splice(0)) await file.close();
  await rm(dir, { recursive: true });
});

/** A browser's two ends. */
async function browser(): Promise<{
  readonly say: (text: string) => Promise<unknown>;
  readonly hear: () => Promise<string>;
  readonly commands: number;
}> {
  const events = await open(join(dir, 'events.pipe'), 'w');
  const commands = await open(join(dir, 'commands.pipe'), 'r');
  files.push(events, commands);
  await expect.poll(() => told).toContain('connected');
  return {
    commands: commands.fd,
    say: (text) => events.write(text),
    hear: async () => {
      const { buffer, bytesRead } = await commands.read(Buffer.alloc(65_536));
      return buffer.toString('utf8', 0, bytesRead);
    },
  };
}

/** The same, while nothing else happens on this thread. */
function heardNow(commands: number): string {
  const bytes = Buffer.alloc(65_536);
  return bytes.toString('utf8', 0, readSync(commands, bytes));
}

/** Nothing else happens on this thread meanwhile. */
function busy(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const pause = (url: string, requestId = '1', body?: string): string =>
  pausedMessage({ requestId, url, headers: { A: 'b' }, ...(body === undefined ? {} : { body }) });

test('what may go on is answered, and told as it was seen, without being asked for', async () => {
  const { say, hear } = await browser();
  phase.advance('armed');
  await say(`${pause('https://shop.test/a', 'id-7', 'x=1')}\0`);
  expect(JSON.parse((await hear()).slice(0, -1))).toMatchObject({
    method: 'Fetch.continueRequest',
    params: { requestId: 'id-7' },
  });
  await expect.poll(() => passed, { timeout: 5_000 }).toHaveLength(1);
  expect(passed[0]).toMatchObject({
    url: 'https://shop.test/a',
    method: 'POST',
    headers: { A: 'b' },
    frameId: 'F',
    resourceType: 'XHR',
    bodyStatus: 'complete',
    body: Buffer.from('x=1'),
  });
});

test('requests that went on, the match and what comes after are told in their order; the way out is cut first', async () => {
  const { say, hear } = await browser();
  phase.advance('armed');
  const requests = ['a', 'b', 'pay', 'c', 'pay'].map((path, id) => pause(`https://shop.test/${path}`, String(id)));
  await say(requests.map((text) => `${text}\0`).join(''));
  for (let heard = ''; heard.split('\0').length < 6;) heard += await hear();
  await expect.poll(() => told).toHaveLength(10);
  expect(told.slice(1)).toEqual([
    ...['passed https://shop.test/a', 'passed https://shop.test/b'],
    ...['cut', 'request', 'intercepted'],
    ...['request', 'blocked', 'request', 'blocked'],
  ]);
  expect(phase.current).toBe('matched');
});

test('more than the shared memory holds is told all the same, in order', async () => {
  const { say, hear } = await browser();
  phase.advance('armed');
  const body = 'x'.repeat(40_000);
  const count = 40;
  const write = say(
    Array.from({ length: count }, (_, id) => `${pause(`https://shop.test/${id}`, String(id), body)}\0`).join(''),
  );
  for (let heard = ''; heard.split('\0').length < count + 1;) heard += await hear();
  await write;
  await expect.poll(() => seen).toHaveLength(count);
  expect(seen.map(({ url }) => url)).toEqual(Array.from({ length: count }, (_, id) => `https://shop.test/${id}`));
  expect(seen.every((request) => request.body?.length === body.length)).toBe(true);
});

/** A browser in a process of its own: pauses so many requests with such bodies at once, and says how many went on. */
const LOUD_BROWSER = `
import { writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
const [events, commands, count, bodyBytes, limitMs] = process.argv.slice(2);
const input = await open(events, 'w');
const output = await open(commands, 'r');
const entries = bodyBytes === '0' ? {} : { hasPostData: true, postDataEntries: [{ bytes: 'eHh4'.repeat(bodyBytes / 3) }] };
void (async () => {
  for (let id = 0; id < count; id += 1) {
    const request = { url: 'https://shop.test/' + id, method: 'POST', headers: { A: 'b'.repeat(200) }, ...entries };
    const params = { requestId: String(id), request, frameId: 'F', resourceType: 'XHR' };
    await input.write(JSON.stringify({ method: 'Fetch.requestPaused', params }) + '\\0');
  }
})();
let answers = 0;
// An exit would wait for the write that waits.
const done = () => { writeSync(1, String(answers)); process.kill(process.pid, 'SIGKILL'); };
setTimeout(done, Number(limitMs));
while (answers < count) {
  const { buffer, bytesRead } = await output.read(Buffer.alloc(65536));
  answers += buffer.toString('latin1', 0, bytesRead).split('\\0').length - 1;
}
done();
`;
/** @returns how many requests went on while nothing else happened on this thread. */
async function loudBrowser(count: number, bodyBytes: number, limitMs: number): Promise<number> {
  const program = join(dir, 'browser.mjs');
  await writeFile(program, LOUD_BROWSER);
  const pipes = [join(dir, 'events.pipe'), join(dir, 'commands.pipe')];
  const args = [program, ...pipes, ...[count, bodyBytes, limitMs].map(String)];
  return Number(spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 15_000, killSignal: 'SIGKILL' }).stdout);
}

test('large bodies wait while this thread is busy: what is told and not taken over is bounded', async () => {
  phase.advance('armed');
  const wentOn = await loudBrowser(200, 900_000, 4_000);
  expect(wentOn).toBeGreaterThan(50);
  expect(wentOn).toBeLessThan(100);
  await expect.poll(() => left, { timeout: 10_000 }).toEqual([{ kind: 'ended' }]);
  expect(seen.length).toBeGreaterThanOrEqual(wentOn);
  expect(seen.map(({ url }) => url)).toEqual(seen.map((_, id) => `https://shop.test/${id}`));
});

test('small requests by the thousand do not wait, and take no more memory than they are long', async () => {
  phase.advance('armed');
  const before = process.memoryUsage().rss;
  expect(await loudBrowser(20_000, 0, 10_000)).toBe(20_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  await expect.poll(() => seen, { timeout: 10_000 }).toHaveLength(20_000);
});

test('commands of the main thread and their replies go over the same pipe', async () => {
  const { say, hear } = await browser();
  thread.write('{"id":1,"method":"Browser.getVersion"}');
  expect(await hear()).toBe('{"id":1,"method":"Browser.getVersion"}\0');
  await say('{"id":1,"result":{"product":"x"}}\0{"id":2,"result":{}}\0');
  await expect.poll(() => reports).toHaveLength(3);
  expect(reports.slice(1)).toEqual([
    { kind: 'reply', reply: { id: 1, result: { product: 'x' } } },
    { kind: 'reply', reply: { id: 2, result: {} } },
  ]);
  expect(() => thread.write('x'.repeat(5_000))).toThrow('too long');
});

test('another task counts from the next request on', async () => {
  const { say, hear } = await browser();
  phase.advance('armed');
  thread.useTask({ url_pattern: '/old', method: 'POST' });
  thread.useTask({ url_pattern: '/order', method: 'POST' });
  await say(`${pause('https://shop.test/pay', '1')}\0${pause('https://shop.test/order', '2')}\0`);
  let heard = '';
  while (heard.split('\0').length < 3) heard += await hear();
  expect(heard).toMatch(/continueRequest.*"1".*failRequest.*"2"/s);
});

test('one browser only: the names of the pipes are gone once it has come', async () => {
  await browser();
  expect(existsSync(join(dir, 'events.pipe'))).toBe(false);
  expect(existsSync(join(dir, 'commands.pipe'))).toBe(false);
});

test('a browser that ends is told, and a match whose body never came before it', async () => {
  const { say } = await browser();
  phase.advance('armed');
  await say(pause('https://shop.test/pay', '1', 'x'.repeat(100)).slice(0, -60));
  await expect.poll(() => phase.current).toBe('matched');
  await files.shift()?.close();
  await expect.poll(() => left).toEqual([{ kind: 'ended' }]);
  expect(told.slice(-2)).toEqual(['request', 'intercepted']);
});

test('a browser that came and went while this thread was busy is told as one that ended', async () => {
  const events = openSync(join(dir, 'events.pipe'), 'w');
  const commands = openSync(join(dir, 'commands.pipe'), 'r');
  closeSync(events);
  closeSync(commands);
  await expect.poll(() => left).toEqual([{ kind: 'ended' }]);
  expect(told).toEqual(['connected']);
  thread.write('{"id":1,"method":"Browser.getVersion"}');
});

test('who looks again from within a report gets the next ones in their order', async () => {
  const { say, commands } = await browser();
  phase.advance('armed');
  lookAgain = true;
  const requests = ['a', 'b', 'pay', 'c', 'pay'].map((path, id) => pause(`https://shop.test/${path}`, String(id)));
  await say(requests.map((text) => `${text}\0`).join(''));
  // This thread is busy until the guard has told everything.
  for (let heard = ''; heard.split('\0').length < 6;) heard += heardNow(commands);
  busy(100);
  await files.shift()?.close();
  await expect.poll(() => left).toEqual([{ kind: 'ended' }]);
  expect(told.slice(1)).toEqual([
    ...['passed https://shop.test/a', 'passed https://shop.test/b'],
    ...['cut', 'request', 'intercepted'],
    ...['request', 'blocked', 'request', 'blocked'],
    'left',
  ]);
});

test('what Chromium would not write ends it', async () => {
  const { say, hear } = await browser();
  await say('GET / HTTP/1.1\r\n\0');
  expect(await hear()).toBe('');
  await expect.poll(() => left).toMatchObject([{ kind: 'broken' }]);
});

test('a request that went on and whose message is broken further on ends it', async () => {
  const { say } = await browser();
  phase.advance('armed');
  await say(`${pause('https://shop.test/a').slice(0, -5)}\0`);
  await expect.poll(() => left, { timeout: 5_000 }).toMatchObject([{ kind: 'broken' }]);
});

test('stop closes the pipe before it returns', async () => {
  const { hear } = await browser();
  thread.stop();
  expect(left).toEqual([{ kind: 'stopped' }]);
  expect(await hear()).toBe('');
  thread.stop();
  expect(left).toHaveLength(1);
});

test('stop does not wait for a browser that never came', () => {
  thread.stop();
  // Had it waited for nothing, nobody would have told.
  expect(left).toEqual([{ kind: 'stopped' }]);
  // One that comes now finds nothing to wait for.
  expect(['events.pipe', 'commands.pipe'].map((name) => existsSync(join(dir, name)))).toEqual([false, false]);
});

test('stop does not wait for a browser that reads no more', async () => {
  const { say } = await browser();
  phase.advance('armed');
  // Ours is full, then theirs is full.
  const written = say(
    Array.from({ length: 3_000 }, (_, id) => `${pause('https://shop.test/a', String(id))}\0`).join(''),
  ).catch((error: unknown) => error);
  let heard = 0;
  await expect
    .poll(
      () => {
        const still = thread.heard() === heard;
        heard = thread.heard();
        return still && heard > 1;
      },
      { interval: 100 },
    )
    .toBe(true);
  thread.stop();
  expect(left).toEqual([{ kind: 'stopped' }]);
  // Its last write ends with the pipe.
  await written;
});

test.each([
  ['before a browser has come', ''],
  ['while a browser is silent', "await open(place('events.pipe'), 'w'); await open(place('commands.pipe'), 'r');"],
])(
  'a process ends although the thread waits, %s',
  async (_name, come) => {
    const program = join(dir, 'program.ts');
    await writeFile(
      program,
      `
    import { open } from 'node:fs/promises';
    import { startGuardThread } from ${JSON.stringify(join(import.meta.dirname, 'start.ts'))};
    import { createMemory } from ${JSON.stringify(join(import.meta.dirname, 'memory.ts'))};
    const place = (name) => ${JSON.stringify(dir)} + '/own-' + name;
    setInterval(() => undefined, 1_000);
    await new Promise((resolve) => {
      void startGuardThread({
        events: place('events.pipe'), commands: place('commands.pipe'), memory: createMemory(), evalSchema: {},
        selfTest: { blocked: 'a', passed: 'b' }, keepOpen: false,
        report: resolve, passed: () => undefined, left: () => undefined,
      }).then(async () => { ${come === '' ? 'setTimeout(resolve, 300);' : come} });
    });
    process.exit(7);
    `,
    );
    const child = spawn(process.execPath, [program], { stdio: 'inherit' });
    const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
    expect(await once(child, 'exit')).toEqual([7, null]);
    clearTimeout(late);
  },
  30_000,
);
