import { z } from 'zod';
import { timestamp } from '../fields.ts';

/** Status fields of both kinds. Only our own programs write the status, so lists are atomic and small. */

/** A `metav1.Condition`, so that `kubectl wait` works. */
const condition = z.object({
  type: z.string().min(1).max(316).describe('type is the type of the condition.'),
  status: z.enum(['True', 'False', 'Unknown']).describe('status is the status of the condition.'),
  observedGeneration: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('observedGeneration is the metadata.generation that the condition was set for.'),
  lastTransitionTime: timestamp.describe('lastTransitionTime is when the status of the condition last changed.'),
  reason: z.string().min(1).max(1024).describe('reason is the reason of the last transition in one CamelCase word.'),
  message: z.string().max(32_768).default('').describe('message explains the condition in one sentence.'),
});

/** Conditions, one per type, which server-side apply merges by type. */
export const conditions = z
  .array(condition)
  .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
  .optional()
  .describe('conditions lists the conditions of the object.');

export const atomic = { 'x-kubernetes-list-type': 'atomic' } as const;

const usageFields = {
  costUSD: z
    .number()
    .min(0)
    .nullable()
    .optional()
    .describe('costUSD is the cost in US dollars with 6 decimals. It is null if no price is known.'),
  tokens: z.number().int().min(0).optional().describe('tokens is the number of input and output tokens.'),
  apiCalls: z.number().int().min(0).optional().describe('apiCalls is the number of model calls.'),
  unpricedCalls: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'unpricedCalls is the number of calls without a known price. If there are any, costUSD is a lower bound.',
    ),
};

/** What the agent spent in one attempt, or in several together. */
export const agentUsage = z.object({
  ...usageFields,
  unreportedAttempts: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'unreportedAttempts is the number of attempts that ended without reporting their usage. The usage last reported counts for them, as a lower bound.',
    ),
});

/** What was spent: the agent's usage on top, the judge's separately. */
export const usage = agentUsage.extend({
  judge: z.object(usageFields).optional().describe('judge is the usage of the judge.'),
});
export type Usage = z.infer<typeof usage>;

const n = z.number().int().min(0);

/** A Job that the operator creates, and the result of the last one. */
export const job = z.object({
  number: n.describe('number is the number of Jobs created so far, and so the number of the last one.'),
  name: z.string().max(253).optional().describe('name is the name of the active Job, if there is one.'),
  failures: n.optional().describe('failures is the number of consecutive failures.'),
  retryTime: timestamp.optional().describe('retryTime is the earliest time of the next Job.'),
  reason: z
    .string()
    .max(128)
    .optional()
    .describe('reason is the reason that the last Job reported, in one CamelCase word.'),
  message: z.string().max(4096).optional().describe('message is the message that the last Job reported.'),
});

export const prepareJob = job.extend({
  generation: n
    .optional()
    .describe(
      'generation is the metadata.generation that the last Job checked. A new generation is checked immediately.',
    ),
});
export type PrepareStatus = z.infer<typeof prepareJob>;

export const judgeJob = job.extend({
  specHash: z
    .string()
    .max(64)
    .optional()
    .describe('specHash is the hash of the fields of spec.judge that the verdicts belong to.'),
  endHash: z
    .string()
    .max(64)
    .optional()
    .describe(
      'endHash is the hash of spec.judge when judging last ended. No further Job is started until spec.judge changes.',
    ),
  againTime: timestamp
    .optional()
    .describe(
      'againTime is when spec.judge was changed after the end of judging. deadlines.judgeSeconds counts from here again.',
    ),
  summarised: n.optional().describe('summarised is the number of closed runs in the last summary.'),
});

/** The text of the column COST in `kubectl get`. */
export const costColumn = z
  .string()
  .max(32)
  .optional()
  .describe('cost is the cost in US dollars. A leading ≥ marks a lower bound, and - an unknown cost.');
