/**
 * What `npm test` runs, in order, with the minutes each may take on two cores with warm caches. A suite is stopped and
 * failed by name at twice its budget. Preparations build what a cold machine lacks; they have limits of their own,
 * since a compile must never eat a test's time.
 */
export interface Suite {
  readonly name: string;
  readonly budgetMinutes: number;
  readonly command: readonly string[];
  /** `vitest`: counted from its JSON report. `exit`: one test, passed by exit code 0. */
  readonly counts: 'vitest' | 'exit';
  /** Named preparations that must have succeeded. */
  readonly needs: readonly string[];
}

export interface Preparation {
  readonly name: string;
  readonly limitMinutes: number;
  readonly command: readonly string[];
  /** Undoes it at the end of the run, whatever happened. */
  readonly undo?: readonly string[];
}

const vitest = (project: string): string[] => [
  'npm',
  'run',
  '-s',
  `test:${project}`,
  '--',
  '--reporter=default',
  '--reporter=json',
];

export const PREPARATIONS: readonly Preparation[] = [
  { name: 'browser packages', limitMinutes: 10, command: ['sh', 'bin/install-packages', 'browser'] },
  {
    name: 'cluster',
    limitMinutes: 40,
    command: ['npm', 'run', '-s', 'cluster', '--', 'up'],
    undo: ['npm', 'run', '-s', 'cluster', '--', 'down'],
  },
  { name: 'images', limitMinutes: 20, command: ['npm', 'run', '-s', 'images'] },
];

export const SUITES: readonly Suite[] = [
  { name: 'types', budgetMinutes: 0.75, command: ['npm', 'run', '-s', 'types'], counts: 'exit', needs: [] },
  { name: 'lint', budgetMinutes: 1.5, command: ['npm', 'run', '-s', 'lint'], counts: 'exit', needs: [] },
  { name: 'unit', budgetMinutes: 3, command: vitest('unit'), counts: 'vitest', needs: [] },
  {
    name: 'without-shared-data',
    budgetMinutes: 0.5,
    command: ['npm', 'run', '-s', 'test:without-shared-data'],
    counts: 'exit',
    needs: [],
  },
  { name: 'browser', budgetMinutes: 10, command: vitest('browser'), counts: 'vitest', needs: ['browser packages'] },
  { name: 'cluster', budgetMinutes: 15, command: vitest('cluster'), counts: 'vitest', needs: ['cluster', 'images'] },
];

/** The whole run ends itself here, ten minutes before CI would end it without a word. */
export const RUN_LIMIT_MINUTES = 80;
