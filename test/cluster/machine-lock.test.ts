import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LockHeld, withLock } from './machine-lock.ts';

describe.runIf(process.platform === 'linux')('the machine-wide lock', () => {
  const name = (): string => `test-${randomBytes(6).toString('hex')}`;

  it('refuses a second holder at once and names the first', async () => {
    const lock = name();
    await withLock(lock, { doing: 'cluster up', waitMs: 0 }, async () => {
      const second = withLock(lock, { doing: 'cluster up', waitMs: 0 }, () => Promise.resolve());
      await expect(second).rejects.toThrow(LockHeld);
      await expect(second).rejects.toThrow(`cluster up (pid ${process.pid}) holds the lock`);
    });
  });

  it('lets one in after the other when they may wait', async () => {
    const lock = name();
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, (inside += 1));
      await new Promise((resolve) => setTimeout(resolve, 20));
      inside -= 1;
    };
    const all = [1, 2, 3].map((i) => withLock(lock, { doing: `work ${i}`, waitMs: 10_000 }, work));
    await Promise.all(all);
    expect(most).toBe(1);
  });

  it('is free again after its work has thrown', async () => {
    const lock = name();
    const failing = withLock(lock, { doing: 'x', waitMs: 0 }, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    await expect(withLock(lock, { doing: 'x', waitMs: 0 }, () => Promise.resolve(7))).resolves.toBe(7);
  });
});
