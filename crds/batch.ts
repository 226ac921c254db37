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

/** Fields of a batch's spec that may change while it runs. Everything else is fixed at creation. */
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
  repetitions: z.number().int().min(1).max(100).default(1).describe('Runs of each task, model and harness.'),
  parallelism: z.number().int().min(1).max(5000).default(2).describe('Runs at a time.'),
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
  queueName: queueName.default('').describe("Kueue's LocalQueue. Empty: no queue."),
  suspend: z.boolean().default(false).describe('Start nothing more; what runs goes on to its end.'),
  cancel: z.boolean().default(false).describe('End everything now. Cannot be taken back.'),
  resume: z
    .boolean()
    .default(false)
    .describe("Go on where another batch left off: its runs' claims under the same prefix are taken over."),
  rerun: batchRerun.optional(),
  ttlSecondsAfterFinished: ttlSecondsAfterFinished('the batch'),
};

const fixed = Object.keys(fields).filter((name) => !(MUTABLE_BATCH_FIELDS as readonly string[]).includes(name));

/** Spec of a ClawBenchBatch. `parse` fills the same defaults that the API server fills. */
export const batchSpec = z
  .object(fields)
  .meta(
    celRules(...immutable('spec', fixed), {
      rule: '!oldSelf.cancel || self.cancel',
      message: 'spec.cancel cannot be taken back.',
    }),
  )
  .describe('What to run.');
export type ClawBenchBatchSpec = z.infer<typeof batchSpec>;
/** What a person writes: defaults may be left out. */
export type ClawBenchBatchSpecInput = z.input<typeof batchSpec>;
