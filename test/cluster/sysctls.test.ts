import { describe, expect, it } from 'vitest';
import { toRestore } from './sysctls.ts';

const saved = { bootId: 'b1', values: { '/proc/sys/kernel/panic': '0', '/proc/sys/vm/overcommit_memory': '0' } };

describe('sysctls to put back', () => {
  it('are those that differ', () => {
    const now = { '/proc/sys/kernel/panic': '10', '/proc/sys/vm/overcommit_memory': '0' };
    expect(toRestore(saved, now, 'b1')).toEqual({ '/proc/sys/kernel/panic': '0' });
  });

  it('are none after a reboot, which has undone everything itself', () => {
    expect(toRestore(saved, { '/proc/sys/kernel/panic': '10' }, 'b2')).toEqual({});
  });

  it('are none that are gone, and none when nothing was noted', () => {
    expect(toRestore(saved, {}, 'b1')).toEqual({});
    expect(toRestore(undefined, { '/proc/sys/kernel/panic': '10' }, 'b1')).toEqual({});
  });
});
