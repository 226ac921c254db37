import { describe, expect, it } from 'vitest';
import { toRestore } from './sysctls.ts';

const noted = { '/proc/sys/kernel/panic': '0', '/proc/sys/vm/overcommit_memory': '0' };

describe('sysctls to put back', () => {
  it('are those that differ', () => {
    const now = { '/proc/sys/kernel/panic': '10', '/proc/sys/vm/overcommit_memory': '0' };
    expect(toRestore(noted, now)).toEqual({ '/proc/sys/kernel/panic': '0' });
  });

  it('are none that are gone, and none when nothing was noted', () => {
    expect(toRestore(noted, {})).toEqual({});
    expect(toRestore({}, { '/proc/sys/kernel/panic': '10' })).toEqual({});
  });
});
