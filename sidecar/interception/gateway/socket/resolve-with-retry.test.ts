import { expect, it } from 'vitest';
import { resolveWithRetry, type Resolve } from './resolve-with-retry.ts';

const FOUND = [{ address: '10.0.0.7', family: 4 }];

/** Replays responses, each after so many milliseconds. */
function ask(
  ...answers: readonly (readonly [string | null, number])[]
): Promise<{ asked: number; code: string | null }> {
  let clock = 0;
  let asked = 0;
  const resolve: Resolve = (_hostname, _options, callback) => {
    const [code, took] = answers[asked++] ?? ['ENOTFOUND', 0];
    clock += took;
    callback(code === null ? null : Object.assign(new Error(code), { code }), code === null ? FOUND : []);
  };
  return new Promise((done) => {
    resolveWithRetry(resolve, () => clock)('site.svc', { all: true }, (error, found) => {
      done({ asked, code: error?.code ?? (found === FOUND ? null : 'wrong') });
    });
  });
}

it.each([
  ['an existing name', [[null, 3]], 1, null],
  ['an unknown name', [['ENOTFOUND', 3]], 1, 'ENOTFOUND'],
  [
    'one that a lost packet hides',
    [
      ['ENOTFOUND', 15_000],
      [null, 3],
    ],
    2,
    null,
  ],
  [
    'an unreachable server for a moment',
    [
      ['EAI_AGAIN', 10_000],
      ['EAI_AGAIN', 10],
      [null, 3],
    ],
    3,
    null,
  ],
  ['an unreachable server', Array.from({ length: 9 }, () => ['EAI_AGAIN', 5_000]), 3, 'EAI_AGAIN'],
  ['any other error', [['EMFILE', 9_000]], 1, 'EMFILE'],
] as const)('%s', async (_what, answers, asked, code) => {
  expect(await ask(...(answers as readonly (readonly [string | null, number])[]))).toEqual({ asked, code });
});
