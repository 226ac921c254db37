import { z } from 'zod';
import { celRules } from '../cel.ts';
import { freeName, keyPrefix, line, objectRef } from '../fields.ts';

/** The syntax that benchmark/task/id-selection.ts reads. */
const ID = '(\\*|[0-9]+([A-Za-z]+| *- *[0-9]+)?)';

/** Which of the suite's tasks run: those that match every field, and in each field one of its entries. */
const select = z.object({
  ids: z
    .string()
    .max(4096)
    .regex(new RegExp(`^ *(${ID} *)?(, *(${ID} *)?)*$`))
    .default('')
    .describe(
      'ids selects tasks by id: numbers, numbers with letters, and ranges, such as "1-50,86,1065b". A number without letters selects every case of that number. If empty or "*", every id is selected.',
    ),
  cases: z
    .array(freeName)
    .max(2000)
    .default([])
    .describe('cases selects tasks by case name. Glob patterns are allowed. If empty, every case is selected.'),
  categories: z
    .array(line(253))
    .max(100)
    .default([])
    .describe('categories selects tasks by metaclass or class. If empty, every category is selected.'),
  sites: z
    .array(line(253))
    .max(1000)
    .default([])
    .describe('sites selects tasks by the host names of the sites that they use. If empty, every site is selected.'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe(
      'limit is the maximum number of tasks, in task order, after all other fields are applied. If omitted, there is no limit.',
    ),
  placeholders: z
    .enum(['Include', 'Exclude'])
    .default('Exclude')
    .describe(
      'placeholders specifies whether tasks run whose URL pattern is a placeholder, so that their request can never be intercepted.',
    ),
});

const s3Suite = z.object({
  prefix: keyPrefix.min(1).describe('prefix is the key of the suite archive in the bucket of spec.artifacts.s3.'),
});

const source = {
  name: freeName.describe('name is the name of the dataset in reports, result rows and metrics.'),
  configMapRef: objectRef
    .optional()
    .describe(
      'configMapRef refers to the ConfigMap that holds the suite as suite.tar.gz in its binaryData (up to 1 MiB).',
    ),
  s3: s3Suite.optional().describe('s3 locates the suite archive in the object store, for suites above 1 MiB.'),
};

/** The suite of a batch: one source and a selection. */
export const batchSuite = z
  .object({
    ...source,
    select: select.prefault({}).describe('select specifies which tasks of the suite run.'),
  })
  .meta(
    celRules({
      rule: 'has(self.configMapRef) != has(self.s3)',
      message: 'spec.suite must have exactly one source, either configMapRef or s3.',
    }),
  )
  .describe('suite specifies the tasks to run: a name, exactly one source and a selection.');
export type BatchSuite = z.infer<typeof batchSuite>;

/** The suite of a standalone run: the same without a selection. With an inline task, only the name is required. */
export const runSuite = z
  .object(source)
  .meta(
    celRules({
      rule: '!(has(self.configMapRef) && has(self.s3))',
      message: 'spec.suite must have at most one source, either configMapRef or s3.',
    }),
  )
  .describe('suite specifies the suite that holds the task. With task.inline, only its name is used, in reports.');
