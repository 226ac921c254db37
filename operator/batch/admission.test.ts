import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admit, type AdmissionState } from './admission.ts';

const runs = (text: string): { name: string; state: AdmissionState }[] =>
  text.split(' ').map((word) => {
    const [name = '', state = ''] = word.split(':');
    return { name, state: state as AdmissionState };
  });
const admitted = ([text, parallelism, previous]: readonly [string, number, string[]]): string =>
  [...admit(runs(text), parallelism, new Set(previous))].toSorted().join(' ');

describe('admission', () => {
  it.each<[string, [string, number, string[]], string]>([
    ['the first ones in order', ['a:ready b:ready c:ready', 2, []], 'a b'],
    ['a running one keeps its slot', ['a:ready b:ready c:active', 2, []], 'a c'],
    ['one that waits for its next attempt occupies no slot', ['a:idle b:ready c:ready', 1, []], 'b'],
    ['an admitted run stays admitted', ['a:ready b:ready', 1, ['b']], 'b'],
    ['fewer slots now: running pods continue, nothing starts', ['a:active b:active c:ready', 1, ['c']], 'a b'],
    ['suspended', ['a:idle b:active', 0, []], 'b'],
  ])('%s', (_name, input, expected) => {
    expect(admitted(input)).toBe(expected);
  });

  it('never admits more than parallelism, apart from what is running; and deciding again changes nothing', () => {
    const state = fc.constantFrom<AdmissionState>('active', 'ready', 'idle');
    fc.assert(
      fc.property(fc.array(state, { maxLength: 30 }), fc.nat(10), fc.array(fc.nat(30)), (claims, parallelism, old) => {
        const all = claims.map((one, index) => ({ name: String(index), state: one }));
        const active = claims.filter((one) => one === 'active').length;
        const first = admit(all, parallelism, new Set(old.map(String)));
        expect(first.size).toBeLessThanOrEqual(Math.max(parallelism, active));
        expect(admit(all, parallelism, first)).toEqual(first);
        const ready = claims.filter((one) => one === 'ready').length;
        expect(first.size).toBe(Math.max(active, Math.min(parallelism, active + ready)));
      }),
    );
  });
});
