import { expect, it } from 'vitest';
import { fileTimes, slowestFiles } from './slowest-files.ts';

const REPORT = JSON.stringify({
  testResults: [
    { name: '/repo/a.test.ts', startTime: 1_000, endTime: 3_500 },
    { name: '/repo/b/c.test.ts', startTime: 1_000, endTime: 61_000 },
    // Vitest gives a file without a test that ran no end.
    { name: '/elsewhere/d.test.ts', startTime: 2_000, endTime: 0 },
  ],
});

it('reads the time of each file, by its path in the repository', () => {
  expect(fileTimes(REPORT, '/repo')).toEqual([
    { file: 'a.test.ts', seconds: 2.5 },
    { file: 'b/c.test.ts', seconds: 60 },
    { file: '/elsewhere/d.test.ts', seconds: 0 },
  ]);
  expect(fileTimes(null, '/repo')).toEqual([]);
});

it('sorts the slowest first and keeps that many', () => {
  const files = slowestFiles(fileTimes(REPORT, '/repo'), 2).map(({ file }) => file);
  expect(files).toEqual(['b/c.test.ts', 'a.test.ts']);
});
