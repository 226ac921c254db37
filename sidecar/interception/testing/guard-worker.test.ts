import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMemory } from '../guard-thread/memory.ts';
import { startGuardThread } from '../guard-thread/start.ts';
import { createPhase } from '../phase.ts';
import { pausedMessage } from '../pipe/pause.fixture.ts';
import { createTestGuardWorker } from './guard-worker.ts';

test('the guard decides by another task from the next request on', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'cb-thread-'));
  const [eventsPath, commandsPath] = [join(dir, 'events.pipe'), join(dir, 'commands.pipe')];
  const memory = createMemory();
  const worker = createTestGuardWorker({ keepOpen: false });
  const thread = await startGuardThread({
    events: eventsPath,
    commands: commandsPath,
    memory,
    evalSchema: { url_pattern: '/pay', method: 'POST' },
    selfTest: { blocked: 'http://self.invalid/', passed: 'http://127.0.0.1:1/' },
    startWorker: worker.startWorker,
    report: () => undefined,
    continued: () => undefined,
    exited: () => undefined,
  });
  const events = await open(eventsPath, 'w');
  const commands = await open(commandsPath, 'r');
  try {
    createPhase(memory.phase).advance('armed');
    worker.useTask({ url_pattern: '/old', method: 'POST' });
    worker.useTask({ url_pattern: '/order', method: 'POST' });
    const pauses = ['pay', 'order'].map((path, index) =>
      pausedMessage({ requestId: String(index + 1), url: `https://shop.test/${path}` }),
    );
    await events.write(pauses.map((text) => `${text}\0`).join(''));
    let written = '';
    while (written.split('\0').length < 3) {
      const { buffer, bytesRead } = await commands.read(Buffer.alloc(65_536));
      written += buffer.toString('utf8', 0, bytesRead);
    }
    expect(written).toMatch(/continueRequest.*"1".*failRequest.*"2"/s);
  } finally {
    await thread.close();
    await events.close();
    await commands.close();
    await rm(dir, { recursive: true });
  }
});
