import { z } from 'zod';
import { RUBRICS } from '../../benchmark/judge/rubrics.ts';
import { timestamp } from '../fields.ts';
import { costColumn, atomic, conditions, prepareJob, judgeJob, usage } from './shared.ts';

/** Phases of a batch. */
export const BATCH_PHASES = ['Pending', 'Running', 'Suspended', 'Judging', 'Complete', 'Failed', 'Cancelled'] as const;

export const BATCH_CONDITIONS = ['Accepted', 'Progressing', 'Suspended', 'Complete', 'Failed'] as const;
export type BatchConditionType = (typeof BATCH_CONDITIONS)[number];

/** Rows per table in status, followed by one row `(other)`. The full tables are in the object store. */
export const MAX_SCORE_ROWS = 20;

const n = z.number().int().min(0);
/** 4 decimals; null when nothing was counted. */
const ratio = z.number().min(0).max(1).nullable();

const counts = z.object({
  total: n.default(0).describe('total is the number of planned runs.'),
  queued: n.default(0).describe('queued is the number of runs that have not been started.'),
  pending: n.default(0).describe('pending is the number of runs in the phases Pending and Starting.'),
  running: n.default(0).describe('running is the number of runs in the phases Running and Finalising.'),
  judging: n.default(0).describe('judging is the number of runs in the phase Judging.'),
  finished: n.default(0).describe('finished is the number of complete runs, whatever their outcome.'),
  passed: n.default(0).describe('passed is the number of runs with the outcome Passed.'),
  failed: n.default(0).describe('failed is the number of runs with the outcome Failed or TimedOut.'),
  infrastructure: n
    .default(0)
    .describe(
      'infrastructure is the number of runs with the outcome Infrastructure, InterceptionEscape or EvidenceIncomplete.',
    ),
  unjudged: n
    .default(0)
    .describe('unjudged is the number of runs that were intercepted and are complete without a verdict.'),
  cancelled: n.default(0).describe('cancelled is the number of cancelled runs.'),
});
export type BatchCounts = z.infer<typeof counts>;

const rubricStats = z.object({
  match: n.describe('match is the number of runs that were judged a match.'),
  mismatch: n.describe('mismatch is the number of runs that were judged a mismatch.'),
  unjudged: n.describe('unjudged is the number of runs without a verdict.'),
  rate: ratio.optional().describe('rate is match divided by nTotal.'),
  rateEligible: ratio.optional().describe('rateEligible is match divided by nEligible.'),
  low: ratio.optional().describe('low is the lower bound of the 95 % confidence interval of rate.'),
  high: ratio.optional().describe('high is the upper bound of the 95 % confidence interval of rate.'),
});

const scores = {
  nPlanned: n.optional().describe('nPlanned is the number of planned runs: tasks × models × harnesses × repetitions.'),
  nTotal: n.describe('nTotal is the number of closed runs, including infrastructure failures.'),
  nEligible: n.describe("nEligible is the number of eligible runs, upstream's adjusted_eligible."),
  nIntercepted: n.describe('nIntercepted is the number of intercepted runs.'),
  interceptedRate: ratio.optional().describe('interceptedRate is nIntercepted divided by nTotal.'),
  interceptedRateEligible: ratio.optional().describe('interceptedRateEligible is nIntercepted divided by nEligible.'),
  interceptedLow: ratio
    .optional()
    .describe('interceptedLow is the lower bound of the 95 % confidence interval of interceptedRate.'),
  interceptedHigh: ratio
    .optional()
    .describe('interceptedHigh is the upper bound of the 95 % confidence interval of interceptedRate.'),
  rubrics: z
    .object(
      Object.fromEntries(RUBRICS.map((name) => [name, rubricStats.optional()])) as Record<
        (typeof RUBRICS)[number],
        z.ZodOptional<typeof rubricStats>
      >,
    )
    .optional()
    .describe('rubrics holds the verdict counts of each rubric.'),
  passAtK: z
    .record(z.string(), ratio)
    .optional()
    .describe('passAtK maps k to the proportion of tasks that passed in at least one of k repetitions.'),
};

const row = z.object({
  name: z
    .string()
    .max(512)
    .describe('name is the model, harness or category of the row, or (other) for all remaining ones.'),
  ...scores,
});
export type ScoreRowStatus = z.infer<typeof row>;
const table = z
  .array(row)
  .max(MAX_SCORE_ROWS + 1)
  .meta(atomic)
  .optional();

const rescoreSummary = z.object({
  overall: z
    .object({
      ...scores,
      partial: z.boolean().optional().describe('partial is true while nTotal is less than nPlanned.'),
    })
    .optional(),
  byModel: table,
  byHarness: table,
  byCategory: table,
});
export type RescoreSummaryStatus = z.infer<typeof rescoreSummary>;

export const batchStatus = z.object({
  observedGeneration: n
    .optional()
    .describe('observedGeneration is the metadata.generation that the operator last acted on.'),
  phase: z.enum(BATCH_PHASES).optional().describe('phase is the phase of the batch.'),
  conditions,
  counts: counts.optional().describe('counts holds the number of runs by phase and outcome.'),
  usage: usage.optional().describe('usage is the usage of the batch so far.'),
  rescoreSummary: rescoreSummary.optional().describe('rescoreSummary is the score of the batch.'),
  artifacts: z
    .object({ summary: z.string().max(2048).optional(), perTask: z.string().max(2048).optional() })
    .optional()
    .describe('artifacts holds the s3:// URLs of the full tables.'),
  columns: z
    .object({
      intercepted: z
        .string()
        .max(32)
        .optional()
        .describe('intercepted is the number and percentage of intercepted runs.'),
      pass: z.string().max(32).optional().describe('pass is the number and percentage of passed runs.'),
      cost: costColumn,
    })
    .optional()
    .describe('columns holds texts for the columns of kubectl get.'),
  tasks: z
    .object({ configMapName: z.string().max(253), count: n })
    .optional()
    .describe('tasks refers to the expanded task list.'),
  models: z
    .array(z.string().max(253))
    .max(1000)
    .meta(atomic)
    .optional()
    .describe('models lists the models that spec.models.names selects.'),
  prepare: prepareJob
    .optional()
    .describe('prepare is the state of the prepare Jobs, which check suite, models and object store.'),
  judge: judgeJob
    .optional()
    .describe('judge is the state of the judge Jobs, which judge runs and summarize the batch.'),
  startTime: timestamp.optional().describe('startTime is when the batch was accepted.'),
  completionTime: timestamp.optional().describe('completionTime is when the batch was complete, failed or cancelled.'),
  rerunNonce: z.string().max(64).optional().describe('rerunNonce is the spec.rerun.nonce that was last acted on.'),
});
export type ClawBenchBatchStatus = z.infer<typeof batchStatus>;
