import { z } from 'zod';
import { RUBRICS } from '../../benchmark/judge/rubrics.ts';
import { OUTCOMES } from '../../benchmark/outcome/outcome.ts';
import { timestamp } from '../fields.ts';
import { costColumn, agentUsage, atomic, conditions, judgeJob, usage } from './shared.ts';

export const RUN_PHASES = ['Queued', 'Pending', 'Starting', 'Running', 'Finalising', 'Judging', 'Complete'] as const;
/** Phase of a run. `Complete` does not imply an outcome. */
export type RunPhase = (typeof RUN_PHASES)[number];

export const RUN_CONDITIONS = [
  'Accepted',
  'PodScheduled',
  'Armed',
  'Intercepted',
  'EvidenceSafe',
  'Judged',
  'Complete',
  'ReducedInterception',
  'AgentIsolated',
] as const;
export type RunConditionType = (typeof RUN_CONDITIONS)[number];

/** Number of attempts kept in status; all attempts are in the object store. */
export const MAX_ATTEMPTS_IN_STATUS = 5;

const word = z.string().max(128);
const sentence = z.string().max(4096);
const evidence = z.enum(['Complete', 'Partial', 'None']);

/** When an attempt reached each of its steps. */
const phaseTimes = z.object({
  podCreated: timestamp.optional().describe('podCreated is when the Pod was created.'),
  podScheduled: timestamp.optional().describe('podScheduled is when the Pod was scheduled.'),
  started: timestamp.optional().describe('started is when the recorder started.'),
  armed: timestamp.optional().describe('armed is when interception was proven to work.'),
  agentStarted: timestamp
    .optional()
    .describe('agentStarted is when the agent was started. Its time limit counts from here.'),
  stopped: timestamp.optional().describe('stopped is when the agent was stopped or exited.'),
  evidenceSafe: timestamp.optional().describe('evidenceSafe is when the manifest was in the object store.'),
  ended: timestamp.optional().describe('ended is when the operator observed the end of the attempt.'),
});
export type PhaseTimes = z.infer<typeof phaseTimes>;

const attempt = z.object({
  number: z
    .number()
    .int()
    .min(1)
    .describe('number is the number of the attempt, starting with 1. It is part of the Pod name and of object keys.'),
  podName: z.string().max(253).describe('podName is the name of the Pod.'),
  podUID: z.string().max(64).optional().describe('podUID is the UID of the Pod.'),
  nodeName: z.string().max(253).optional().describe('nodeName is the name of the node that the Pod ran on.'),
  outcome: z
    .enum(OUTCOMES)
    .optional()
    .describe('outcome is the outcome of the attempt. It is absent while the attempt is in progress.'),
  reason: word.optional().describe('reason is the reason of the outcome in one CamelCase word.'),
  message: sentence.optional().describe('message explains the reason in one sentence.'),
  reportedOutcome: z
    .enum(OUTCOMES)
    .optional()
    .describe(
      'reportedOutcome is the outcome that the recorder reported, if the cluster shows another one, for example because the node was drained.',
    ),
  claimedByAttempt: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      'claimedByAttempt is the earlier attempt that had already claimed the run. This attempt then ran no agent, and outcome, evidence and prefix are those of the earlier attempt.',
    ),
  evidence: evidence.optional().describe('evidence is how much of the bundle is stored.'),
  prefix: z
    .string()
    .max(1024)
    .optional()
    .describe('prefix is the key prefix of the attempt, relative to spec.artifacts.s3.prefix.'),
  times: phaseTimes.optional().describe('times holds when the attempt reached each of its steps.'),
  usage: agentUsage
    .optional()
    .describe('usage is the usage of the attempt. While the attempt is in progress, it is the usage last reported.'),
});
export type AttemptStatus = z.infer<typeof attempt>;

/** `match` is null if the judge gave no usable answer. */
const verdict = z.object({
  match: z
    .boolean()
    .nullable()
    .describe(
      'match is whether the intercepted request does what the task asked for. It is null if the judge gave no usable answer.',
    ),
  reason: sentence.optional().describe("reason is the judge's reason, shortened."),
});
export type VerdictStatus = z.infer<typeof verdict>;

/** The verdict of each rubric. */
const verdicts = z.object(
  Object.fromEntries(RUBRICS.map((name) => [name, verdict.optional()])) as Record<
    (typeof RUBRICS)[number],
    z.ZodOptional<typeof verdict>
  >,
);

/** Written by the judge Job once the run-meta of the attempt that counts is final. */
const closed = z.object({
  prefix: z.string().max(1024).describe('prefix is the key prefix of the attempt that counts.'),
  time: timestamp.describe('time is when the bundle was closed.'),
});

export const runStatus = z.object({
  observedGeneration: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('observedGeneration is the metadata.generation that the operator last acted on.'),
  phase: z.enum(RUN_PHASES).optional().describe('phase is the phase of the run.'),
  task: z
    .string()
    .max(253)
    .optional()
    .describe('task is the name of the case, or the name of the run if its task is inline.'),
  attempt: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('attempt is the number of the current or last attempt, and 0 before the first one.'),
  generation: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('generation counts the reruns, starting with 1. Each rerun has a claim of its own.'),
  infrastructureFailures: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('infrastructureFailures is the number of attempts that count against spec.retry.infrastructureLimit.'),
  nextAttemptTime: timestamp.optional().describe('nextAttemptTime is the earliest time of the next attempt.'),
  attempts: z
    .array(attempt)
    .max(MAX_ATTEMPTS_IN_STATUS)
    .meta(atomic)
    .optional()
    .describe('attempts lists the last attempts.'),
  outcome: z.enum(OUTCOMES).optional().describe('outcome is the outcome of the run.'),
  reason: word
    .optional()
    .describe('reason is the reason of the outcome, or of the refusal of the run, in one CamelCase word.'),
  message: sentence.optional().describe('message explains the reason in one sentence.'),
  stopReason: word.optional().describe("stopReason is upstream's word for what stopped the session."),
  resultCategory: word.optional().describe("resultCategory is upstream's word for the result."),
  intercepted: z.boolean().optional().describe('intercepted is whether the terminal request was intercepted.'),
  evidence: evidence.optional().describe('evidence is how much of the bundle that counts is stored.'),
  verdicts: verdicts.optional().describe('verdicts holds the verdict of each rubric. It is written by the judge Job.'),
  closed: closed
    .optional()
    .describe('closed is set once the bundle that counts is final. It is written by the judge Job.'),
  usage: usage
    .optional()
    .describe(
      'usage is the usage of all attempts of the run. While an attempt is in progress, its usage last reported is included.',
    ),
  columns: z
    .object({
      cost: costColumn,
    })
    .optional()
    .describe('columns holds texts for the columns of kubectl get.'),
  artifacts: z
    .object({ prefix: z.string().max(2048).describe('prefix is the s3:// URL of the bundle that counts.') })
    .optional()
    .describe('artifacts locates the bundle.'),
  pendingReason: sentence.optional().describe('pendingReason explains in one sentence why the Pod has not started.'),
  images: z
    .record(z.string(), z.string().max(512))
    .optional()
    .describe('images maps the containers of the Pod to their image digests.'),
  times: phaseTimes
    .extend({
      queued: timestamp.optional().describe('queued is when the run was accepted.'),
      judged: timestamp.optional().describe('judged is when all verdicts were available.'),
      completed: timestamp.optional().describe('completed is when the run was complete.'),
    })
    .optional()
    .describe('times holds when the attempt that counts reached each of its steps.'),
  judge: judgeJob
    .optional()
    .describe(
      'judge is the state of the judge Jobs of a standalone run. The runs of a batch are judged by the Jobs of the batch.',
    ),
  conditions,
});
export type ClawBenchRunStatus = z.infer<typeof runStatus>;
