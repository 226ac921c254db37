import { connect, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './progress.ts';

/**
 * A lock of the whole machine: an abstract Unix socket. The kernel frees it when its holder ends, however it ends, so
 * there is no stale lock file; a process that connects to it reads who holds the lock.
 */
export class LockHeld extends Error {
  readonly holder: string;

  constructor(name: string, holder: string) {
    super(`${holder || 'another process'} holds the lock "${name}"; wait for it to end, then try again.`);
    this.name = 'LockHeld';
    this.holder = holder;
  }
}

export interface LockOptions {
  /** What the holder is doing, for the message to others: `up (pid 12)`. */
  doing: string;
  /** How long to wait for another holder; 0 refuses at once. */
  waitMs: number;
}

const TRY_AGAIN_MS = 300;

function address(name: string): string {
  return `\0clawbench-${name}`;
}

function tryToHold(name: string, doing: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(`${doing} (pid ${process.pid})`);
    });
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(address(name), () => {
      resolve(server);
    });
  });
}

/** The holder's description of itself; undefined if it does not answer within a second. */
function lockHolder(name: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(address(name));
    const finish = (): void => {
      socket.destroy();
      resolve(answer || undefined);
    };
    socket.setEncoding('utf8').setTimeout(1000, finish);
    socket.on('data', (part: string) => (answer += part));
    socket.on('error', finish).on('end', finish);
  });
}

/**
 * Runs `work` while holding the machine-wide lock `name`.
 * @throws {LockHeld} when another process still holds it after `waitMs`.
 */
export async function withLock<T>(name: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const limit = Date.now() + options.waitMs;
  let said = false;
  let server = await tryToHold(name, options.doing);
  while (server === undefined) {
    const holder = (await lockHolder(name)) ?? '';
    if (Date.now() >= limit) throw new LockHeld(name, holder);
    if (!said && holder) say(`  waiting for ${holder}`);
    said = true;
    await sleep(TRY_AGAIN_MS);
    server = await tryToHold(name, options.doing);
  }
  try {
    return await work();
  } finally {
    await new Promise((done) => server.close(done));
  }
}
