import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What compiles Go; a cold build takes longer than all unit tests. */
const COMPILED = 'images/{grab,listener,shim}/*.test.ts';

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
          testTimeout: 15_000,
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
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'cluster',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/global-setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
