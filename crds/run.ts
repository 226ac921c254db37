import { z } from 'zod';
import { harness, runModels } from './blocks/agents.ts';
import { artifacts } from './blocks/artifacts.ts';
import { browser } from './blocks/browser.ts';
import { judge } from './blocks/judge.ts';
import { ttlSecondsAfterFinished } from './blocks/lifetime.ts';
import { budget, deadlines, retry } from './blocks/limits.ts';
import { mail, network } from './blocks/network.ts';
import { podTemplate } from './blocks/pod-template.ts';
import { runSuite } from './blocks/suite.ts';
import { immutable, celRules } from './cel.ts';
import type { CelRule } from './cel.ts';
import { freeName, line, objectName, opaqueObject, queueName } from './fields.ts';

/** Fields of a run's spec that may change after creation. In a run of a batch, only `cancel` has an effect. */
export const MUTABLE_RUN_FIELDS = ['suspend', 'cancel', 'rerun', 'budget', 'judge', 'ttlSecondsAfterFinished'] as const;

/** Blocks that a run of a batch takes from its batch and must not have itself. */
const BATCH_BLOCKS = [
  'suite',
  'models',
  'budget',
  'judge',
  'browser',
  'network',
  'mail',
  'artifacts',
  'retry',
  'deadlines',
  'podTemplate',
  'queueName',
] as const;

const taskRef = z.object({
  case: freeName.describe('case is the name of the case in the suite, without .json.'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .max(64)
    .optional()
    .describe(
      'sha256 is the SHA-256 of the task file in hexadecimal. The recorder refuses a file with another hash. It is required in a run of a batch.',
    ),
});

const task = z
  .object({
    ref: taskRef.optional().describe('ref refers to a task of the suite.'),
    inline: opaqueObject.optional().describe('inline is the content of a task file.'),
  })
  // Not a CEL rule, since CEL cannot see `inline` (see opaqueObject).
  .meta({ minProperties: 1, maxProperties: 1 })
  .describe('task specifies the task to run, by exactly one of ref and inline.');

const fields = {
  batchRef: z
    .object({
      name: objectName.describe('name is the name of the batch.'),
      uid: line(64).describe('uid is the UID of the batch, which tells it from a later batch of the same name.'),
    })
    .optional()
    .describe('batchRef refers to the batch that the run belongs to. A run without it is a standalone run.'),
  task,
  model: freeName.describe('model is the key of the model in models.yaml, or any name if the harness uses no model.'),
  harness,
  repetition: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe('repetition is the number of the repetition, starting with 1.'),
  suite: runSuite.optional(),
  models: runModels.optional(),
  budget: budget.optional(),
  judge: judge.optional(),
  browser: browser.optional(),
  network: network.optional(),
  mail: mail.optional(),
  artifacts: artifacts.optional(),
  retry: retry.optional(),
  deadlines: deadlines.optional(),
  podTemplate: podTemplate.optional(),
  queueName: queueName
    .optional()
    .describe('queueName is the name of the Kueue LocalQueue that admits the run. If empty, no queue is used.'),
  suspend: z
    .boolean()
    .default(false)
    .describe(
      'suspend specifies whether the operator waits before it starts the run. It has no effect on a run that has started.',
    ),
  cancel: z.boolean().default(false).describe('cancel ends the run immediately. It cannot be unset.'),
  rerun: z
    .object({ nonce: line(64).describe('nonce is an arbitrary text. Each new value repeats the run once.') })
    .optional()
    .describe('rerun repeats the run.'),
  resume: z
    .boolean()
    .default(false)
    .describe(
      'resume specifies whether the result of an earlier run under the same prefix is adopted instead of running again.',
    ),
  ttlSecondsAfterFinished: ttlSecondsAfterFinished('a standalone run'),
};

const fixed = Object.keys(fields).filter((name) => !(MUTABLE_RUN_FIELDS as readonly string[]).includes(name));

const shape: CelRule[] = [
  {
    rule: `!has(self.batchRef) || !(${BATCH_BLOCKS.map((name) => `has(self.${name})`).join(' || ')})`,
    message: `spec.batchRef excludes the fields ${BATCH_BLOCKS.join(', ')}, which are taken from the batch; remove them from the run.`,
  },
  {
    rule: '!has(self.batchRef) || (has(self.task.ref) && has(self.task.ref.sha256))',
    message: 'spec.task.ref with sha256 is required in a run of a batch.',
  },
  {
    rule: 'has(self.batchRef) || (has(self.suite) && has(self.artifacts))',
    message: 'spec.suite and spec.artifacts are required in a run without batchRef.',
  },
  {
    rule: 'has(self.batchRef) || !has(self.task.ref) || (has(self.suite) && (has(self.suite.configMapRef) || has(self.suite.s3)))',
    message: 'spec.suite must have configMapRef or s3 if spec.task.ref refers to one of its tasks.',
  },
];

/** Spec of a ClawBenchRun. {@link runSpec} fills in the defaults of a block only if the block is present. */
export const runSpec = z
  .object(fields)
  .meta(
    celRules(...shape, ...immutable('spec', fixed), {
      rule: '!oldSelf.cancel || self.cancel',
      message: 'spec.cancel cannot be unset.',
    }),
  )
  .describe('spec defines the run.');
export type ClawBenchRunSpec = z.infer<typeof runSpec>;
/** What users or the operator write: fields with a default may be omitted. */
export type ClawBenchRunSpecInput = z.input<typeof runSpec>;
