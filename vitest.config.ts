import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that compile Go, which takes longer than all unit tests when its cache is cold. */
const COMPILED = 'images/{grab,listener,shim}/*.test.ts';

/**
 * Tests with a screen (Xvfb). One at a time: without abstract sockets -displayfd gives every server number 0, and
 * recordings are measured.
 */
const WITH_SCREEN = 'test/browser/{local/*,evidence/*,capture/player,capture/recording}.test.ts';

/** What tests with a browser have in common. */
const browser = {
  globalSetup: ['test/scratch-setup.ts', 'test/browser/global-setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 60_000,
};

/** The test that kills the operator, and those that do not need one. */
const OPERATOR_RESTARTS = 'test/e2e/{batch,chart,crds,embedded-cluster,kube}.test.ts';

/** Tests that need a cluster mostly wait for Pods, so that five files on two cores disturb each other little. */
const e2e = {
  globalSetup: ['test/e2e/global-setup.ts'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  maxWorkers: 5,
};

/**
 * Projects by what they need: only Node; Go, Chromium and Xvfb; a cluster. Without `--project` they run one after the
 * other, as in `npm test`.
 */
export default defineConfig({
  test: {
    /** `npm run coverage`: the benchmark's rules, by their own tests alone: a rule that only a program's test reaches counts as untested. */
    coverage: {
      provider: 'v8',
      include: ['benchmark/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text'],
      thresholds: { lines: 95 },
    },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{benchmark,crds,kube,store,mail,operator,sidecar,judging,jobs,cli,images,charts,test,test-cases}/**/*.test.ts',
          ],
          exclude: ['test/browser/**', 'test/e2e/**', 'node_modules/**', COMPILED],
          globalSetup: ['test/scratch-setup.ts'],
          testTimeout: 30_000,
          // Half of the time went into new processes that loaded the same modules again. No test mocks a module, and each
          // restores what it changes. Not threads: some tests read the open files or the memory of the whole process.
          pool: 'forks',
          isolate: false,
          // The longest files mostly wait.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...browser,
          name: 'browser',
          include: ['test/browser/**/*.test.ts', COMPILED],
          exclude: [WITH_SCREEN],
          // They mostly wait.
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...browser,
          name: 'browser-with-screen',
          include: [WITH_SCREEN],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...e2e,
          name: 'cluster',
          include: ['test/e2e/**/*.test.ts'],
          exclude: [OPERATOR_RESTARTS],
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...e2e,
          name: 'cluster-operator-restarts',
          include: [OPERATOR_RESTARTS],
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
