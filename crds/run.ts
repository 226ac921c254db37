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

/** Fields of a run's spec that may change. In a run of a batch only `cancel` has an effect of its own. */
export const MUTABLE_RUN_FIELDS = ['suspend', 'cancel', 'rerun', 'budget', 'judge', 'ttlSecondsAfterFinished'] as const;

/** Blocks that a run of a batch reads from its batch and must not carry. */
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
  case: freeName.describe('Case name in the suite, without .json.'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .max(64)
    .optional()
    .describe('SHA-256 (hex) of the raw task file; the recorder refuses another. Needed in a run of a batch.'),
});

const task = z
  .object({
    ref: taskRef.optional().describe('A task of the suite.'),
    inline: opaqueObject.optional().describe('The task itself, as in a task file.'),
  })
  // Not a CEL rule: CEL cannot see `inline` (see opaqueObject).
  .meta({ minProperties: 1, maxProperties: 1 })
  .describe('The one task: exactly one of ref and inline.');

const fields = {
  batchRef: z
    .object({
      name: objectName.describe('Name of the batch.'),
      uid: line(64).describe('UID of the batch: a namesake made later is another one.'),
    })
    .optional()
    .describe('The batch this run belongs to. Absent: made by hand, its own batch.'),
  task,
  model: freeName.describe('Key in models.yaml, or any name when the harness uses no model.'),
  harness,
  repetition: z.number().int().min(1).max(100).default(1).describe('1-based.'),
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
  queueName: queueName.optional().describe("Kueue's LocalQueue. Absent or empty: no queue."),
  suspend: z.boolean().default(false).describe('Do not start. Without effect once started.'),
  cancel: z.boolean().default(false).describe('End the run now. Cannot be taken back.'),
  rerun: z
    .object({ nonce: line(64).describe('Any new text: each new one reruns once.') })
    .optional()
    .describe('Run again.'),
  resume: z.boolean().default(false).describe('Take over the claim of an earlier run under the same prefix.'),
  ttlSecondsAfterFinished: ttlSecondsAfterFinished('a run made by hand'),
};

const fixed = Object.keys(fields).filter((name) => !(MUTABLE_RUN_FIELDS as readonly string[]).includes(name));

const shape: CelRule[] = [
  {
    rule: `!has(self.batchRef) || !(${BATCH_BLOCKS.map((name) => `has(self.${name})`).join(' || ')})`,
    message: `spec.batchRef excludes the run's own blocks (${BATCH_BLOCKS.join(', ')}): they are read from the batch.`,
  },
  {
    rule: '!has(self.batchRef) || (has(self.task.ref) && has(self.task.ref.sha256))',
    message: 'spec.task.ref with its sha256 is needed in a run of a batch.',
  },
  {
    rule: 'has(self.batchRef) || (has(self.suite) && has(self.artifacts))',
    message: 'spec.suite and spec.artifacts are needed in a run without batchRef.',
  },
  {
    rule: 'has(self.batchRef) || !has(self.task.ref) || (has(self.suite) && (has(self.suite.configMapRef) || has(self.suite.s3)))',
    message: 'spec.suite needs configMapRef or s3 when spec.task.ref names one of its tasks.',
  },
];

/** Spec of a ClawBenchRun. Blocks without a value get their defaults from {@link runSpec} only where they are present. */
export const runSpec = z
  .object(fields)
  .meta(
    celRules(...shape, ...immutable('spec', fixed), {
      rule: '!oldSelf.cancel || self.cancel',
      message: 'spec.cancel cannot be taken back.',
    }),
  )
  .describe('The one run.');
export type ClawBenchRunSpec = z.infer<typeof runSpec>;
/** What a person or the operator writes: defaults may be left out. */
export type ClawBenchRunSpecInput = z.input<typeof runSpec>;
