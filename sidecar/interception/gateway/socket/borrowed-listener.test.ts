import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ensureBinary } from '../../../../cli/local/static-binary.ts';
import { freePort } from '../../../../cli/local/isolation.ts';
import { borrowListener, type BorrowedListener } from './borrowed-listener.ts';

const program = join(import.meta.dirname, '../../../../dist/clawbench-listener');
const dir = mkdtempSync(join(tmpdir(), 'listener-'));
const socket = join(dir, 'listener.sock');
let port: number;
let served: Socket[];
let lost: string[];
let borrowed: BorrowedListener;

beforeAll(async () => {
  await ensureBinary(program, 'listener');
}, 120_000);
afterAll(() => rmSync(dir, { recursive: true }));
beforeEach(async () => {
  served = [];
  port = await freePort();
  lost = [];
  borrowed = await borrowListener({
    program,
    socket,
    serve: (client) => {
      served.push(client);
      client.on('error', () => undefined).end('here');
    },
    lost: (message) => lost.push(message),
  });
});
afterEach(async () => {
  for (const client of served) client.destroy();
  await borrowed.close();
});

const lend = (): Promise<unknown> => promisify(execFile)(program, ['lend', `127.0.0.1:${String(port)}`, socket]);

async function ask(): Promise<string> {
  const client = connect(port, '127.0.0.1');
  let text = '';
  client.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(client, 'close');
  return text;
}

test('a listener that was lent is served here, although the process that opened it has exited', async () => {
  await lend();
  expect(await ask()).toBe('here');
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(['here', 'here', 'here']);
  expect(served).toHaveLength(4);
});

test('one listener is accepted: a second lender gets an error', async () => {
  await lend();
  await expect(lend()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('address already in use') });
  port = await freePort();
  await expect(lend()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('clawbench-listener: dial') });
});

test('nothing listens after close', async () => {
  await lend();
  await borrowed.close();
  await expect(ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a lender without a listener is dropped, and the next is served', async () => {
  const stranger = connect(socket);
  await once(stranger, 'connect');
  stranger.write('L');
  await once(stranger, 'close');
  await lend();
  expect(await ask()).toBe('here');
});

test('the listener does not block: accepting until the queue is empty must end', async () => {
  const before = new Set(readdirSync('/proc/self/fdinfo'));
  await lend();
  await ask();
  const flags = readdirSync('/proc/self/fdinfo')
    .filter((fd) => !before.has(fd) && isListener(fd))
    .map((fd) => parseInt(/^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '', 8));
  expect(flags).toHaveLength(1);
  expect((flags[0] ?? 0) & constants.O_NONBLOCK).toBe(constants.O_NONBLOCK);
});

/** Found by its inode among the listening sockets of this namespace. */
function isListener(fd: string): boolean {
  const inode = /socket:\[(\d+)\]/.exec(linkOf(fd))?.[1];
  const LISTEN = '0A';
  return readFileSync('/proc/self/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .some((columns) => columns[3] === LISTEN && columns[9] === inode);
}

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

test('a missing program is an error at the start', async () => {
  const missing = borrowListener({
    program: join(dir, 'nothing'),
    socket: join(dir, 'other.sock'),
    serve: () => undefined,
    lost: () => undefined,
  });
  await expect(missing).rejects.toMatchObject({ code: 'ENOENT' });
});

test('the program’s exit is reported only while no listener has been lent', async () => {
  const own = process.pid;
  const children = readFileSync(`/proc/${own}/task/${own}/children`, 'utf8').trim().split(' ');
  const helper = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(socket));
  process.kill(Number(helper), 'SIGKILL');
  await expect.poll(() => lost).toEqual([`${program} ended with SIGKILL before a listener was lent`]);
  await borrowed.close();
  borrowed = await borrowListener({ program, socket, serve: () => undefined, lost: (message) => lost.push(message) });
  await lend();
  await borrowed.close();
  expect(lost).toHaveLength(1);
});

test('the program exits with the process that started it, before a listener was lent', async () => {
  const script = `import { borrowListener } from ${JSON.stringify(join(import.meta.dirname, 'borrowed-listener.ts'))};
    await borrowListener({ ...${JSON.stringify({ program, socket: join(dir, 'orphan.sock') })}, serve: () => {}, lost: () => {} });
    process.stdout.write('ready');`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(parent.stdout, 'data');
  const parentPid = String(parent.pid);
  const child = readFileSync(`/proc/${parentPid}/task/${parentPid}/children`, 'utf8').trim();
  expect(child).toMatch(/^\d+$/);
  parent.kill('SIGKILL');
  // On a machine without a reaper it stays a zombie.
  const runs = (): boolean => existsSync(`/proc/${child}/exe`);
  await expect.poll(runs, { timeout: 10_000 }).toBe(false);
});
