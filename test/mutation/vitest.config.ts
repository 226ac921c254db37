import { defineConfig } from 'vitest/config';

/** The tests that must notice when a rule of the predicate or of the classifier is changed: their own, and no others. */
export default defineConfig({
  test: {
    include: [
      'benchmark/request/{predicate,const-filter,passive-load,url-spellings}.test.ts',
      'benchmark/text/python-equality.test.ts',
      'benchmark/outcome/upstream-category.test.ts',
      'benchmark/aggregate/eligible.test.ts',
    ],
  },
});
