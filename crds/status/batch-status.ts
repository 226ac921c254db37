import { z } from 'zod';
import { RUBRICS } from '../../benchmark/judge/rubrics.ts';
import { timestamp } from '../fields.ts';
import { atomic, conditions, prepareJob, judgeJob, usage } from './shared.ts';

/** Where a batch is. */
export const BATCH_PHASES = ['Pending', 'Running', 'Suspended', 'Judging', 'Complete', 'Failed', 'Cancelled'] as const;

export const BATCH_CONDITIONS = ['Accepted', 'Progressing', 'Suspended', 'Complete', 'Failed'] as const;
export type BatchConditionType = (typeof BATCH_CONDITIONS)[number];

/** Rows per table in status; then one row `(other)`. The full tables are in the object store. */
export const MAX_SCORE_ROWS = 20;

const n = z.number().int().min(0);
/** 4 decimals; null when nothing was counted. */
const ratio = z.number().min(0).max(1).nullable();

const counts = z.object({
  total: n.default(0).describe('Runs planned.'),
  queued: n.default(0),
  pending: n.default(0).describe('With a Pod that does not run yet.'),
  running: n.default(0),
  judging: n.default(0),
  finished: n.default(0).describe('Complete, whatever the outcome.'),
  passed: n.default(0),
  failed: n.default(0),
  infrastructure: n.default(0),
  unjudged: n.default(0).describe('Intercepted and complete without a verdict.'),
  cancelled: n.default(0),
});
export type BatchCounts = z.infer<typeof counts>;

const rubricStats = z.object({
  match: n,
  mismatch: n,
  unjudged: n,
  rate: ratio.optional().describe('match / nTotal.'),
  rateEligible: ratio.optional().describe('match / nEligible.'),
  low: ratio.optional().describe('Lower bound of the 95 % interval of rate.'),
  high: ratio.optional().describe('Upper bound of the 95 % interval of rate.'),
});

const scores = {
  nPlanned: n.optional().describe('Tasks × models × harnesses × repetitions.'),
  nTotal: n.describe('Closed runs, infrastructure failures included.'),
  nEligible: n.describe("Upstream's adjusted_eligible."),
  nIntercepted: n,
  interceptedRate: ratio.optional().describe('nIntercepted / nTotal.'),
  interceptedRateEligible: ratio.optional().describe('nIntercepted / nEligible.'),
  interceptedLow: ratio.optional().describe('Lower bound of the 95 % interval of interceptedRate.'),
  interceptedHigh: ratio.optional().describe('Upper bound of the 95 % interval of interceptedRate.'),
  rubrics: z
    .object(
      Object.fromEntries(RUBRICS.map((name) => [name, rubricStats.optional()])) as Record<
        (typeof RUBRICS)[number],
        z.ZodOptional<typeof rubricStats>
      >,
    )
    .optional()
    .describe('By rubric that was asked.'),
  passAtK: z.record(z.string(), ratio).optional().describe('Share of tasks passed in at least one of k repetitions.'),
};

const row = z.object({ name: z.string().max(512).describe('What the row is about; (other) for the rest.'), ...scores });
export type ScoreRowStatus = z.infer<typeof row>;
const table = z
  .array(row)
  .max(MAX_SCORE_ROWS + 1)
  .meta(atomic)
  .optional();

const rescoreSummary = z.object({
  overall: z
    .object({ ...scores, partial: z.boolean().optional().describe('True while nTotal < nPlanned.') })
    .optional(),
  byModel: table,
  byHarness: table,
  byCategory: table,
});
export type RescoreSummaryStatus = z.infer<typeof rescoreSummary>;

export const batchStatus = z.object({
  observedGeneration: n.optional().describe('metadata.generation last acted on.'),
  phase: z.enum(BATCH_PHASES).optional(),
  conditions,
  counts: counts.optional(),
  usage: usage.optional().describe('What the batch spent.'),
  rescoreSummary: rescoreSummary.optional().describe('The score.'),
  artifacts: z
    .object({ summary: z.string().max(2048).optional(), perTask: z.string().max(2048).optional() })
    .optional()
    .describe('The full tables, as s3:// URLs.'),
  columns: z
    .object({
      intercepted: z.string().max(32).optional().describe("Intercepted runs of the summary's nTotal, with the share."),
      pass: z.string().max(32).optional().describe('Passed runs of the same.'),
      cost: z.string().max(32).optional().describe('US dollars; ≥: a lower bound; -: not known.'),
    })
    .optional()
    .describe('The same numbers as text for the columns of kubectl get.'),
  tasks: z
    .object({ configMapName: z.string().max(253), count: n })
    .optional()
    .describe('The expanded task list.'),
  models: z.array(z.string().max(253)).max(1000).meta(atomic).optional().describe('The models after globs.'),
  prepare: prepareJob.optional().describe('Checking of suite, models and store.'),
  judge: judgeJob.optional().describe('Judging and summing up.'),
  startTime: timestamp.optional().describe('The batch was accepted.'),
  completionTime: timestamp.optional().describe('The batch was complete, failed or cancelled.'),
  rerunNonce: z.string().max(64).optional().describe('The last spec.rerun.nonce acted on.'),
});
export type ClawBenchBatchStatus = z.infer<typeof batchStatus>;
