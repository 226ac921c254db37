import { describe, expect, it } from 'vitest';
import { ComponentDied } from './host-process.ts';
import { waitUntil, WaitedTooLong } from './wait-until.ts';

const dead = { pid: 2 ** 22 + 1, startTime: '1', argv: ['/x'], log: '/nowhere/x.log' };

describe('a wait', () => {
  it('ends when the check is true; a throwing check means "not yet"', async () => {
    let asked = 0;
    await waitUntil({ what: 'x', limitMs: 5_000 }, () => {
      asked += 1;
      return asked < 3 ? Promise.reject(new Error('refused')) : Promise.resolve(true);
    });
    expect(asked).toBe(3);
  });

  it('fails at its limit with what went wrong last', async () => {
    const wait = waitUntil({ what: 'etcd', limitMs: 150 }, () => Promise.reject(new Error('refused')));
    await expect(wait).rejects.toThrow(WaitedTooLong);
    await expect(wait).rejects.toThrow(/for etcd\nlast error: refused/);
  });

  it('fails at once when a process it watches has ended, however long its limit', async () => {
    const wait = waitUntil({ what: 'x', limitMs: 600_000, watched: { coredns: dead } }, () => Promise.resolve(false));
    await expect(wait).rejects.toThrow(ComponentDied);
    await expect(wait).rejects.toThrow(/^coredns ended/);
  });

  it('ends by an abort', async () => {
    const abort = new AbortController();
    const wait = waitUntil({ what: 'x', limitMs: 600_000, signal: abort.signal }, () => Promise.resolve(false));
    abort.abort(new Error('interrupted by SIGINT'));
    await expect(wait).rejects.toThrow('interrupted by SIGINT');
  });
});
