import { z } from 'zod';
import { batchHarnesses, batchModels } from './blocks/agents.ts';
import { artifacts } from './blocks/artifacts.ts';
import { browser } from './blocks/browser.ts';
import { judge } from './blocks/judge.ts';
import { ttlSecondsAfterFinished } from './blocks/lifetime.ts';
import { batchRerun, budget, deadlines, limits, retry } from './blocks/limits.ts';
import { mail, network } from './blocks/network.ts';
import { podTemplate } from './blocks/pod-template.ts';
import { batchSuite } from './blocks/suite.ts';
import { immutable, celRules } from './cel.ts';
import { queueName } from './fields.ts';

/** Fields of a batch's spec that may change after creation. All others are immutable. */
export const MUTABLE_BATCH_FIELDS = [
  'suspend',
  'cancel',
  'rerun',
  'parallelism',
  'limits',
  'budget',
  'judge',
  'ttlSecondsAfterFinished',
] as const;

const fields = {
  suite: batchSuite,
  models: batchModels,
  harnesses: batchHarnesses,
  repetitions: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe('repetitions is the number of runs of each combination of task, model and harness.'),
  parallelism: z
    .number()
    .int()
    .min(1)
    .max(5000)
    .default(2)
    .describe('parallelism is the maximum number of runs that are in progress at the same time.'),
  limits: limits.optional(),
  budget: budget.optional(),
  judge: judge.optional(),
  browser: browser.prefault({}),
  network: network.prefault({}),
  mail: mail.prefault({}),
  artifacts,
  retry: retry.prefault({}),
  deadlines: deadlines.prefault({}),
  podTemplate: podTemplate.prefault({}),
  queueName: queueName
    .default('')
    .describe('queueName is the name of the Kueue LocalQueue that admits the runs. If empty, no queue is used.'),
  suspend: z
    .boolean()
    .default(false)
    .describe('suspend specifies whether the operator stops starting runs. Runs that have started continue.'),
  cancel: z.boolean().default(false).describe('cancel ends all runs of the batch immediately. It cannot be unset.'),
  resume: z
    .boolean()
    .default(false)
    .describe(
      'resume specifies whether the batch continues an earlier one: runs that an earlier batch has finished under the same prefix are adopted instead of being repeated.',
    ),
  rerun: batchRerun.optional(),
  ttlSecondsAfterFinished: ttlSecondsAfterFinished('the batch'),
};

const fixed = Object.keys(fields).filter((name) => !(MUTABLE_BATCH_FIELDS as readonly string[]).includes(name));

/** Spec of a ClawBenchBatch. `parse` fills in the same defaults as the API server. */
export const batchSpec = z
  .object(fields)
  .meta(
    celRules(...immutable('spec', fixed), {
      rule: '!oldSelf.cancel || self.cancel',
      message: 'spec.cancel cannot be unset.',
    }),
  )
  .describe('spec defines what the batch runs.');
export type ClawBenchBatchSpec = z.infer<typeof batchSpec>;
/**
 * What users write: fields with a default may be omitted. Only tests write batches in TypeScript.
 * @internal
 */
export type ClawBenchBatchSpecInput = z.input<typeof batchSpec>;
