import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attemptPrefix,
  isAttemptName,
  judgeJobName,
  labelValue,
  podName,
  runName,
  runOfAttempt,
  runPrefix,
  type RunPlace,
  safeModel,
} from './names.ts';

const aRun = (more: Partial<RunPlace> = {}): RunPlace => ({
  batch: 'nightly',
  task: '001-daily-life-food-uber-eats',
  model: 'z-ai/glm-4.5-air:free',
  harness: 'hermes',
  repetition: 1,
  place: 0,
  ...more,
});
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const LABEL_VALUE = /^(?:[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

describe('names', () => {
  it('never change, because results are found by them', () => {
    expect(runName('nightly', aRun())).toBe('nightly-c969c95c4141');
    expect(runPrefix(aRun())).toBe(
      'z-ai--glm-4.5-air--free/batch-nightly--hermes--z-ai--glm-4.5-air--free/z-ai--glm-4.5-air--free/00001-01-nightly-c969c95c4141',
    );
    expect(attemptPrefix({ runPrefix: 'p', runUID: '5f3c2b1a-0000-4000-8000-000000000000', attempt: 2 })).toBe(
      'p/a2-5f3c2b1a/',
    );
    expect(judgeJobName('nightly', 3)).toBe('nightly-judge-3');
  });
  it('are DNS labels for any task and model, up to batch names of 40 characters', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(9999), (task, model, attempt) => {
        expect(podName(runName('b'.repeat(40), aRun({ task, model })), attempt)).toMatch(DNS_LABEL);
      }),
    );
  });
  it('differ when any part differs', () => {
    const names = [
      aRun(),
      aRun({ task: 'x' }),
      aRun({ model: 'x' }),
      aRun({ harness: 'x' }),
      aRun({ repetition: 2 }),
    ].map((run) => runName('b', run));
    expect(new Set(names).size).toBe(5);
  });
  it('of attempts differ between two objects of one name, and give the run’s prefix', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), fc.integer({ min: 1, max: 99 }), (one, two, attempt) => {
        fc.pre(one.slice(0, 8) !== two.slice(0, 8));
        const [first, second] = [one, two].map((runUID) => attemptPrefix({ runPrefix: 'b/m/r', runUID, attempt }));
        expect(first).not.toBe(second);
        expect(runOfAttempt(first ?? '')).toBe('b/m/r');
        expect(isAttemptName((first ?? '').split('/').at(-2) ?? '')).toBe(true);
      }),
    );
    for (const prefix of [
      '',
      '/',
      'b/m/r',
      'b/m/r/',
      'b/m/r/a1',
      'a1/',
      '/a1/',
      'b/m/r/data/',
      'b/m/r/a1/data/',
      'b/m/r/a1//',
    ]) {
      expect(() => runOfAttempt(prefix), prefix).toThrow(/not the prefix of an attempt/);
    }
    expect(['a1', 'a12-5f3c2b1a', 'data', 'a', 'votes', 'ab1'].map(isAttemptName)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
  it('of run directories sort in task order, then by repetition', () => {
    const prefixes = [0, 1, 9, 10, 99, 100].flatMap((place) =>
      [1, 2, 10].map((repetition) => runPrefix(aRun({ place, repetition, task: `t${String(place)}` }))),
    );
    expect([...prefixes].sort()).toEqual(prefixes);
  });
  it('start with batch- only where upstream is to find a batch', () => {
    const parts = runPrefix(aRun({ batch: 'batch-x' })).split('/');
    expect(parts.filter((part) => part.startsWith('batch-'))).toEqual([parts[1]]);
  });
});

describe('labelValue', () => {
  it('keeps what is allowed and hashes the rest', () => {
    expect(labelValue('v2-1065b_x.y')).toBe('v2-1065b_x.y');
    expect(labelValue('')).toBe('');
    expect(labelValue('a/b:c')).toMatch(/^a-b-c-[0-9a-f]{10}$/);
  });
  it('is always a label value and tells texts apart', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.string({ maxLength: 300 }), (a, b) => {
        expect(labelValue(a)).toMatch(LABEL_VALUE);
        expect(labelValue(a) === labelValue(b)).toBe(a === b);
      }),
    );
  });
});

it('safeModel replaces runs of slashes and colons', () => {
  expect(safeModel('a//b:/c')).toBe('a--b--c');
});
