import { z } from 'zod';
import { celRules } from '../cel.ts';
import { freeName, keyPrefix, line, objectRef } from '../fields.ts';

/** As benchmark/task/id-selection.ts reads it. */
const ID = '(\\*|[0-9]+([A-Za-z]+| *- *[0-9]+)?)';

/** Which of the suite's tasks run. Conditions of different kinds narrow each other; entries of one list widen it. */
const select = z.object({
  ids: z
    .string()
    .max(4096)
    .regex(new RegExp(`^ *(${ID} *)?(, *(${ID} *)?)*$`))
    .default('')
    .describe(
      'Task ids: numbers, numbers with letters and ranges, such as "1-50,86,1065b". Empty or "*": every id. A number alone means every case of that number.',
    ),
  cases: z.array(freeName).max(2000).default([]).describe('Case names in the suite, globs allowed. Empty: every case.'),
  categories: z
    .array(line(253))
    .max(100)
    .default([])
    .describe('Metaclasses or classes of the tasks. Empty: every category.'),
  sites: z.array(line(253)).max(1000).default([]).describe('Host names of the sites involved. Empty: every site.'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('Number of tasks to take, in task order, after the other conditions. Absent: all.'),
  placeholders: z
    .enum(['Include', 'Exclude'])
    .default('Exclude')
    .describe('Whether tasks run whose request can never be intercepted, since their pattern is a stand-in.'),
});

const s3Suite = z.object({
  prefix: keyPrefix.min(1).describe('Key of the suite archive in the bucket of spec.artifacts.s3.'),
});

const source = {
  name: freeName.describe("The dataset's name in reports, result rows and metrics."),
  configMapRef: objectRef
    .optional()
    .describe('ConfigMap that holds the suite in binaryData under suite.tar.gz (up to 1 MiB).'),
  s3: s3Suite.optional().describe('Suite archive in the object store, for suites above 1 MiB.'),
};

/** The suite of a batch: one source, and a selection. */
export const batchSuite = z
  .object({
    ...source,
    select: select.prefault({}).describe('Which tasks of the suite run.'),
  })
  .meta(
    celRules({
      rule: 'has(self.configMapRef) != has(self.s3)',
      message: 'spec.suite needs exactly one source: either configMapRef or s3.',
    }),
  )
  .describe('The tasks: a name, exactly one source and a selection.');
export type BatchSuite = z.infer<typeof batchSuite>;

/** The suite of a run made by hand: the same without a selection; with an inline task only the name is needed. */
export const runSuite = z
  .object(source)
  .meta(
    celRules({
      rule: '!(has(self.configMapRef) && has(self.s3))',
      message: 'spec.suite takes one source: either configMapRef or s3.',
    }),
  )
  .describe('The suite that holds the task; with task.inline only its name, for reports.');
