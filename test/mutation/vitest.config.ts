import { defineConfig } from 'vitest/config';

/** The tests that must notice when a rule of the predicate or of the classifier is changed: their own, and no others. */
export default defineConfig({
  test: {
    include: [
      'benchmark/{predicate,const-filter,python-equality,passive,url-spellings,classify}.test.ts',
      'benchmark/aggregate/eligible.test.ts',
    ],
  },
});
