import { defineConfig } from 'vitest/config';

/** Three projects by what they need: nothing, a browser, a cluster. `npm test` runs them in that order. */
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
          exclude: ['test/browser/**', 'test/e2e/**', 'node_modules/**'],
          testTimeout: 15_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
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
