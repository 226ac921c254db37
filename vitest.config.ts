import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What compiles Go; a cold build takes longer than all unit tests. */
const COMPILED = 'images/{grab,listener,shim}/*.test.ts';

/** Tests that need no operator, beside the one that kills it. */
const OPERATOR_RESTARTS = 'test/e2e/{batch,chart,crds,embedded-cluster,kube}.test.ts';

/** Of a cluster's tests: they mostly wait for Pods. */
const e2e = {
  globalSetup: ['test/e2e/global-setup.ts'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  maxWorkers: 5,
};

/**
 * Three projects by what they need: nothing but Node, then Go, Chromium and Xvfb, then a cluster. `npm test` runs them in
 * that order.
 */
export default defineConfig({
  test: {
    /** `npm run coverage`: the rules, by their own tests alone, so that a rule without one cannot hide behind a program. */
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
          // Half of the time went into new processes that load the same modules again. No test mocks a module, and each
          // restores what it changes. Not threads: some tests look at what belongs to a whole process (open files, RSS).
          pool: 'forks',
          isolate: false,
          // The longest files mostly wait.
          maxWorkers: availableParallelism() + 1,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts', COMPILED],
          globalSetup: ['test/scratch-setup.ts', 'test/browser/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          // Channels and recordings mostly wait.
          maxWorkers: availableParallelism(),
        },
      },
      {
        test: {
          ...e2e,
          name: 'cluster',
          include: ['test/e2e/**/*.test.ts'],
          exclude: [OPERATOR_RESTARTS],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...e2e,
          name: 'cluster-operator-restarts',
          include: [OPERATOR_RESTARTS],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
