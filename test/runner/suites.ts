import { embeddedIsUp } from '../cluster/lifecycle.ts';

/** One part of `npm test`. It is stopped and fails at twice its budget. */
export interface Suite {
  readonly name: string;
  /** Minutes on two quiet cores with warm caches. */
  readonly budgetMinutes: number;
  readonly command: readonly string[];
  /** Vitest projects that the command runs. They are counted by their JSON report; any other suite is one test. */
  readonly projects?: readonly string[];
  /** Names of the preparations that must have succeeded. */
  readonly needs: readonly string[];
}

/** Builds or starts what a cold machine lacks. It has a limit of its own: a compile must not use up a test's time. */
export interface Preparation {
  readonly name: string;
  readonly limitMinutes: number;
  readonly command: readonly string[];
  /** Undoes it at the end of the run, whether tests failed or not, unless it was there before. */
  readonly undo?: readonly string[];
  readonly wasThere?: () => boolean;
}

const script = (name: string, ...args: string[]): string[] => ['npm', 'run', '-s', name, '--', ...args];

const vitest = (name: string): string[] => script(`test:${name}`, '--reporter=default', '--reporter=json');

export const PREPARATIONS: readonly Preparation[] = [
  { name: 'browser packages', limitMinutes: 10, command: ['sh', 'bin/install-packages', 'browser'] },
  {
    name: 'cluster',
    limitMinutes: 40,
    command: script('cluster', 'up'),
    undo: script('cluster', 'down'),
    wasThere: embeddedIsUp,
  },
  { name: 'images', limitMinutes: 20, command: script('images') },
];

/** In order. The suites of one stage run at the same time. */
export const STAGES: readonly (readonly Suite[])[] = [
  [
    { name: 'types', budgetMinutes: 1, command: script('types'), needs: [] },
    { name: 'lint', budgetMinutes: 1.5, command: script('lint'), needs: [] },
    { name: 'without-shared-data', budgetMinutes: 0.5, command: script('test:without-shared-data'), needs: [] },
  ],
  [{ name: 'unit', budgetMinutes: 1.5, command: vitest('unit'), projects: ['unit'], needs: [] }],
  [
    {
      name: 'browser',
      budgetMinutes: 6,
      command: vitest('browser'),
      projects: ['browser*'],
      needs: ['browser packages'],
    },
  ],
  [
    {
      name: 'cluster',
      budgetMinutes: 14,
      command: vitest('cluster'),
      projects: ['cluster*'],
      needs: ['cluster', 'images'],
    },
  ],
];

export const SUITES: readonly Suite[] = STAGES.flat();

/** The whole run ends itself here, ten minutes before CI would end it without a message. */
export const RUN_LIMIT_MINUTES = 80;
