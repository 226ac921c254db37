import { z } from 'zod';
import { RUBRICS } from '../../benchmark/judge/rubrics.ts';
import { OUTCOMES } from '../../benchmark/outcome/outcome.ts';
import { timestamp } from '../fields.ts';
import { agentUsage, atomic, conditions, judgeJob, usage } from './shared.ts';

export const RUN_PHASES = ['Queued', 'Pending', 'Starting', 'Running', 'Finalising', 'Judging', 'Complete'] as const;
/** Where a run is. `Complete` says nothing about the outcome. */
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

/** Attempts kept in status; all are in the object store. */
export const MAX_ATTEMPTS_IN_STATUS = 5;

const word = z.string().max(128);
const sentence = z.string().max(4096);
const evidence = z.enum(['Complete', 'Partial', 'None']);

/** The steps of one attempt, each when it was reached. */
const phaseTimes = z.object({
  podCreated: timestamp.optional().describe('The Pod was created.'),
  podScheduled: timestamp.optional().describe('The Pod had a node.'),
  started: timestamp.optional().describe('The recorder ran.'),
  armed: timestamp.optional().describe('Interception was proven.'),
  agentStarted: timestamp.optional().describe('The agent was executed; its clock starts.'),
  stopped: timestamp.optional().describe('The agent had to stop or ended by itself.'),
  evidenceSafe: timestamp.optional().describe('The manifest was in the object store.'),
  ended: timestamp.optional().describe('The operator saw the attempt end.'),
});
export type PhaseTimes = z.infer<typeof phaseTimes>;

const attempt = z.object({
  number: z.number().int().min(1).describe('1-based; part of Pod name and keys.'),
  podName: z.string().max(253),
  podUID: z.string().max(64).optional(),
  nodeName: z.string().max(253).optional(),
  outcome: z.enum(OUTCOMES).optional().describe('Absent while it runs.'),
  reason: word.optional().describe('One CamelCase word.'),
  message: sentence.optional(),
  reportedOutcome: z
    .enum(OUTCOMES)
    .optional()
    .describe('What the recorder called it, where the cluster shows that it was another (drained, out of memory).'),
  claimedByAttempt: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('It ran no agent: this earlier attempt had claimed the run, and outcome, evidence and prefix are its.'),
  evidence: evidence.optional().describe('How much of the bundle is safe.'),
  prefix: z.string().max(1024).optional().describe('Key prefix below spec.artifacts.s3.prefix.'),
  times: phaseTimes.optional(),
  usage: agentUsage.optional().describe('What it spent; while it runs, as last heard.'),
});
export type AttemptStatus = z.infer<typeof attempt>;

/** `match`: true, false, or null when the judge gave no usable answer. */
const verdict = z.object({
  match: z.boolean().nullable().describe('Whether the request does what was asked; null: no usable answer.'),
  reason: sentence.optional().describe("The judge's reason, shortened."),
});
export type VerdictStatus = z.infer<typeof verdict>;

/** One verdict per rubric that was asked. */
const verdicts = z.object(
  Object.fromEntries(RUBRICS.map((name) => [name, verdict.optional()])) as Record<
    (typeof RUBRICS)[number],
    z.ZodOptional<typeof verdict>
  >,
);

/** Written by the judge Job when the run-meta of the attempt that counts is final. */
const closed = z.object({
  prefix: z.string().max(1024).describe('Key prefix of the attempt that counts.'),
  time: timestamp.describe('When it was written.'),
});

export const runStatus = z.object({
  observedGeneration: z.number().int().min(0).optional().describe('metadata.generation last acted on.'),
  phase: z.enum(RUN_PHASES).optional(),
  task: z.string().max(253).optional().describe('The case; the name of the run when it carries its task itself.'),
  attempt: z.number().int().min(0).optional().describe('Number of the current or last attempt; 0 before the first.'),
  generation: z.number().int().min(1).optional().describe('1-based; each rerun starts a new one with its own claim.'),
  infrastructureFailures: z.number().int().min(0).optional().describe('Attempts that count against the retry limit.'),
  nextAttemptTime: timestamp.optional().describe('The next attempt starts not before this.'),
  attempts: z.array(attempt).max(MAX_ATTEMPTS_IN_STATUS).meta(atomic).optional().describe('The last attempts.'),
  outcome: z.enum(OUTCOMES).optional().describe('The class the run ended in.'),
  reason: word.optional().describe('Why it ended so, or was refused, in one CamelCase word.'),
  message: sentence.optional().describe('The same in one sentence.'),
  stopReason: word.optional().describe("Upstream's word for what stopped the session."),
  resultCategory: word.optional().describe("Upstream's word for the result."),
  intercepted: z.boolean().optional().describe('The terminal request was caught.'),
  evidence: evidence.optional().describe('How much of the bundle that counts is safe.'),
  verdicts: verdicts.optional().describe('By rubric. Written by the judge Job.'),
  closed: closed.optional().describe('The bundle that counts is final. Written by the judge Job.'),
  usage: usage.optional().describe('What the run spent, all attempts together; while it runs, as last heard.'),
  columns: z
    .object({ cost: z.string().max(32).optional().describe('US dollars; ≥: a lower bound; -: not known.') })
    .optional()
    .describe('The same as text for the columns of kubectl get.'),
  artifacts: z
    .object({ prefix: z.string().max(2048).describe('Where the bundle that counts lies, as an s3:// URL.') })
    .optional()
    .describe('The bundle.'),
  pendingReason: sentence.optional().describe('Why the Pod does not start, in one sentence.'),
  images: z.record(z.string(), z.string().max(512)).optional().describe('Image digests by container, from the Pod.'),
  times: phaseTimes
    .extend({
      queued: timestamp.optional().describe('The run was accepted.'),
      judged: timestamp.optional().describe('The verdicts were there.'),
      completed: timestamp.optional().describe('The run was complete.'),
    })
    .optional()
    .describe('The steps of the attempt that counts.'),
  judge: judgeJob.optional().describe('Judging of a run made by hand; the batch judges its own.'),
  conditions,
});
export type ClawBenchRunStatus = z.infer<typeof runStatus>;
