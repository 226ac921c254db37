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
import { startGuardThread, type ForwardedReport, type GuardThread } from './start.ts';
import { startGuardWorker } from './worker.ts';

let dir: string;
let thread: GuardThread;
let phase: PhaseState;
/** Everything that was reported, in order. */
let reported: string[];
let reports: ForwardedReport[];
let continued: ObservedRequest[];
/** All requests, whichever way they were reported. */
let seen: ObservedRequest[];
let exits: ThreadExit[];
/** Each callback drains from within, as the recorder does when it closes. */
let drainWithin: boolean;
const files: FileHandle[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cb-thread-'));
  const memory = createMemory();
  phase = createPhase(memory.phase);
  [reported, reports, continued, seen, exits, drainWithin] = [[], [], [], [], [], false];
  const record = (what: string): void => {
    reported.push(what);
    if (drainWithin) thread.drain();
  };
  thread = await startGuardThread({
    events: join(dir, 'events.pipe'),
    commands: join(dir, 'commands.pipe'),
    memory,
    evalSchema: { url_pattern: '/pay', method: 'POST' },
    selfTest: { blocked: 'http://self.invalid/', passed: 'http://127.0.0.1:1/' },
    startWorker: startGuardWorker,
    report: (report) => {
      reports.push(report);
      if (report.kind === 'event' && report.event.type === 'request') seen.push(report.event.request);
      record(report.kind === 'event' ? report.event.type : report.kind);
    },
    continued: (request) => {
      continued.push(request);
      seen.push(request);
      record(`continued ${request.url}`);
    },
    exited: (exit) => {
      exits.push(exit);
      if (drainWithin) record('exited');
    },
  });
});
afterEach(async () => {
  await thread.close();
  for (const file of files.splice(0)) await file.close();
  await rm(dir, { recursive: true });
});

/** The browser's ends of both pipes. */
async function browser(): Promise<{
  readonly write: (text: string) => Promise<unknown>;
  readonly read: () => Promise<string>;
  readonly commands: number;
}> {
  const events = await open(join(dir, 'events.pipe'), 'w');
  const commands = await open(join(dir, 'commands.pipe'), 'r');
  files.push(events, commands);
  await expect.poll(() => reported).toContain('connected');
  return {
    commands: commands.fd,
    write: (text) => events.write(text),
    read: async () => {
      const { buffer, bytesRead } = await commands.read(Buffer.alloc(65_536));
      return buffer.toString('utf8', 0, bytesRead);
    },
  };
}

/** The same, and blocks this thread meanwhile. */
function readNow(commands: number): string {
  const bytes = Buffer.alloc(65_536);
  return bytes.toString('utf8', 0, readSync(commands, bytes));
}

/** Blocks this thread. */
function busy(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const pause = (url: string, requestId = '1', body?: string): string =>
  pausedMessage({ requestId, url, headers: { A: 'b' }, ...(body === undefined ? {} : { body }) });

test('a request that may continue is answered, and reported as it was seen, without a drain', async () => {
  const { write, read } = await browser();
  phase.advance('armed');
  await write(`${pause('https://shop.test/a', 'id-7', 'x=1')}\0`);
  expect(JSON.parse((await read()).slice(0, -1))).toMatchObject({
    method: 'Fetch.continueRequest',
    params: { requestId: 'id-7' },
  });
  await expect.poll(() => continued, { timeout: 5_000 }).toHaveLength(1);
  expect(continued[0]).toMatchObject({
    url: 'https://shop.test/a',
    method: 'POST',
    headers: { A: 'b' },
    frameId: 'F',
    resourceType: 'XHR',
    bodyStatus: 'complete',
    body: Buffer.from('x=1'),
  });
});

test('continued requests, the match and later requests are reported in order; the egress is cut before the match is reported', async () => {
  const { write, read } = await browser();
  phase.advance('armed');
  const requests = ['a', 'b', 'pay', 'c', 'pay'].map((path, id) => pause(`https://shop.test/${path}`, String(id)));
  await write(requests.map((text) => `${text}\0`).join(''));
  for (let written = ''; written.split('\0').length < 6;) written += await read();
  await expect.poll(() => reported).toHaveLength(10);
  expect(reported.slice(1)).toEqual([
    ...['continued https://shop.test/a', 'continued https://shop.test/b'],
    ...['cut-egress', 'request', 'intercepted'],
    ...['request', 'blocked', 'request', 'blocked'],
  ]);
  expect(phase.current).toBe('matched');
});

test('more than the shared memory holds is still reported, in order', async () => {
  const { write, read } = await browser();
  phase.advance('armed');
  const body = 'x'.repeat(40_000);
  const count = 40;
  const writing = write(
    Array.from({ length: count }, (_, id) => `${pause(`https://shop.test/${id}`, String(id), body)}\0`).join(''),
  );
  for (let written = ''; written.split('\0').length < count + 1;) written += await read();
  await writing;
  await expect.poll(() => seen).toHaveLength(count);
  expect(seen.map(({ url }) => url)).toEqual(Array.from({ length: count }, (_, id) => `https://shop.test/${id}`));
  expect(seen.every((request) => request.body?.length === body.length)).toBe(true);
});

/** A browser in a process of its own: pauses `count` requests with bodies at once, and prints how many continued. */
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
/** @returns how many requests continued while this thread was blocked. */
async function loudBrowser(count: number, bodyBytes: number, limitMs: number): Promise<number> {
  const program = join(dir, 'browser.mjs');
  await writeFile(program, LOUD_BROWSER);
  const pipes = [join(dir, 'events.pipe'), join(dir, 'commands.pipe')];
  const args = [program, ...pipes, ...[count, bodyBytes, limitMs].map(String)];
  return Number(spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 15_000, killSignal: 'SIGKILL' }).stdout);
}

test('requests with large bodies wait while this thread is busy: what is posted and not read is bounded', async () => {
  phase.advance('armed');
  const count = await loudBrowser(200, 900_000, 4_000);
  expect(count).toBeGreaterThan(50);
  expect(count).toBeLessThan(100);
  await expect.poll(() => exits, { timeout: 10_000 }).toEqual([{ kind: 'browser-exited' }]);
  expect(seen.length).toBeGreaterThanOrEqual(count);
  expect(seen.map(({ url }) => url)).toEqual(seen.map((_, id) => `https://shop.test/${id}`));
});

test('thousands of small requests do not wait, and take no more memory than their length', async () => {
  phase.advance('armed');
  const before = process.memoryUsage().rss;
  expect(await loudBrowser(20_000, 0, 10_000)).toBe(20_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  await expect.poll(() => seen, { timeout: 10_000 }).toHaveLength(20_000);
});

test('commands of the main thread and their replies use the same pipe', async () => {
  const { write, read } = await browser();
  thread.write('{"id":1,"method":"Browser.getVersion"}');
  expect(await read()).toBe('{"id":1,"method":"Browser.getVersion"}\0');
  await write('{"id":1,"result":{"product":"x"}}\0{"id":2,"result":{}}\0');
  await expect.poll(() => reports).toHaveLength(3);
  expect(reports.slice(1)).toEqual([
    { kind: 'reply', reply: { id: 1, result: { product: 'x' } } },
    { kind: 'reply', reply: { id: 2, result: {} } },
  ]);
  expect(() => thread.write('x'.repeat(5_000))).toThrow('too long');
});

test('one browser only: the names of the pipes are removed once it has connected', async () => {
  await browser();
  expect(existsSync(join(dir, 'events.pipe'))).toBe(false);
  expect(existsSync(join(dir, 'commands.pipe'))).toBe(false);
});

test('a browser that exits is reported, after a match whose body never came', async () => {
  const { write } = await browser();
  phase.advance('armed');
  await write(pause('https://shop.test/pay', '1', 'x'.repeat(100)).slice(0, -60));
  await expect.poll(() => phase.current).toBe('matched');
  await files.shift()?.close();
  await expect.poll(() => exits).toEqual([{ kind: 'browser-exited' }]);
  expect(reported.slice(-2)).toEqual(['request', 'intercepted']);
});

test('a browser that connected and exited while this thread was busy is reported as exited', async () => {
  const events = openSync(join(dir, 'events.pipe'), 'w');
  const commands = openSync(join(dir, 'commands.pipe'), 'r');
  closeSync(events);
  closeSync(commands);
  await expect.poll(() => exits).toEqual([{ kind: 'browser-exited' }]);
  expect(reported).toEqual(['connected']);
  thread.write('{"id":1,"method":"Browser.getVersion"}');
});

test('a drain from within a report delivers the next reports in order', async () => {
  const { write, commands } = await browser();
  phase.advance('armed');
  drainWithin = true;
  const requests = ['a', 'b', 'pay', 'c', 'pay'].map((path, id) => pause(`https://shop.test/${path}`, String(id)));
  await write(requests.map((text) => `${text}\0`).join(''));
  // This thread is busy until the guard has sent everything.
  for (let written = ''; written.split('\0').length < 6;) written += readNow(commands);
  busy(100);
  await files.shift()?.close();
  await expect.poll(() => exits).toEqual([{ kind: 'browser-exited' }]);
  expect(reported.slice(1)).toEqual([
    ...['continued https://shop.test/a', 'continued https://shop.test/b'],
    ...['cut-egress', 'request', 'intercepted'],
    ...['request', 'blocked', 'request', 'blocked'],
    'exited',
  ]);
});

test('a message that Chromium would not write ends the thread', async () => {
  const { write, read } = await browser();
  await write('GET / HTTP/1.1\r\n\0');
  expect(await read()).toBe('');
  await expect.poll(() => exits).toMatchObject([{ kind: 'unreadable-pipe' }]);
});

test('a request that continued and whose message is malformed later on ends the thread', async () => {
  const { write } = await browser();
  phase.advance('armed');
  await write(`${pause('https://shop.test/a').slice(0, -5)}\0`);
  await expect.poll(() => exits, { timeout: 5_000 }).toMatchObject([{ kind: 'unreadable-pipe' }]);
});

test('stop closes the pipe before it returns', async () => {
  const { read } = await browser();
  thread.stop();
  expect(exits).toEqual([{ kind: 'stopped' }]);
  expect(await read()).toBe('');
  thread.stop();
  expect(exits).toHaveLength(1);
});

test('stop does not wait for a browser that never connected', () => {
  thread.stop();
  // Without an exit there would be no report.
  expect(exits).toEqual([{ kind: 'stopped' }]);
  // A browser that comes now finds no pipes.
  expect(['events.pipe', 'commands.pipe'].map((name) => existsSync(join(dir, name)))).toEqual([false, false]);
});

test('stop does not wait for a browser that has stopped reading', async () => {
  const { write } = await browser();
  phase.advance('armed');
  // The commands pipe fills up, then the events pipe.
  const written = write(
    Array.from({ length: 3_000 }, (_, id) => `${pause('https://shop.test/a', String(id))}\0`).join(''),
  ).catch((error: unknown) => error);
  let reads = 0;
  await expect
    .poll(
      () => {
        const still = thread.readCount() === reads;
        reads = thread.readCount();
        return still && reads > 1;
      },
      { interval: 100 },
    )
    .toBe(true);
  thread.stop();
  expect(exits).toEqual([{ kind: 'stopped' }]);
  // The browser's last write fails when the pipe is closed.
  await written;
});

test.each([
  ['before a browser has connected', ''],
  ['while a browser is silent', "await open(place('events.pipe'), 'w'); await open(place('commands.pipe'), 'r');"],
])(
  'the process exits although the thread waits, %s',
  async (_name, come) => {
    const program = join(dir, 'program.ts');
    await writeFile(
      program,
      `
    import { open } from 'node:fs/promises';
    import { startGuardThread } from ${JSON.stringify(join(import.meta.dirname, 'start.ts'))};
    import { startGuardWorker } from ${JSON.stringify(join(import.meta.dirname, 'worker.ts'))};
    import { createMemory } from ${JSON.stringify(join(import.meta.dirname, 'memory.ts'))};
    const place = (name) => ${JSON.stringify(dir)} + '/own-' + name;
    setInterval(() => undefined, 1_000);
    await new Promise((resolve) => {
      void startGuardThread({
        events: place('events.pipe'), commands: place('commands.pipe'), memory: createMemory(), evalSchema: {},
        selfTest: { blocked: 'a', passed: 'b' }, startWorker: startGuardWorker,
        report: resolve, continued: () => undefined, exited: () => undefined,
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
