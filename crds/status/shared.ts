import { z } from 'zod';
import { timestamp } from '../fields.ts';

/** Status parts of both kinds. Status is written by our own programs, so lists are atomic and small. */

/** A condition in Kubernetes' own shape, so that `kubectl wait` works. */
const condition = z.object({
  type: z.string().min(1).max(316).describe('What the condition is about.'),
  status: z.enum(['True', 'False', 'Unknown']),
  observedGeneration: z.number().int().min(0).optional().describe('metadata.generation that this was decided for.'),
  lastTransitionTime: timestamp.describe('When status last changed.'),
  reason: z.string().min(1).max(1024).describe('One CamelCase word.'),
  message: z.string().max(32_768).default('').describe('One sentence.'),
});

/** Conditions, one per type, merged by type under server-side apply. */
export const conditions = z
  .array(condition)
  .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
  .optional()
  .describe('The current state in the usual form.');

export const atomic = { 'x-kubernetes-list-type': 'atomic' } as const;

const usageFields = {
  costUSD: z.number().min(0).nullable().optional().describe('US dollars, 6 decimals; null when no price is known.'),
  tokens: z.number().int().min(0).optional().describe('Tokens, in and out.'),
  apiCalls: z.number().int().min(0).optional().describe('Calls of the model.'),
  unpricedCalls: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Calls whose price is not known; when there are any, costUSD is a lower bound.'),
};

/** What the agent of one attempt spent, or of several together. */
export const agentUsage = z.object({
  ...usageFields,
  unreportedAttempts: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Attempts that died before they told their bill; what was last heard of them counts, as a lower bound.'),
});

/** What was spent: agent at the top, judge apart. */
export const usage = agentUsage.extend({
  judge: z.object(usageFields).optional().describe('Spent by the judge.'),
});
export type Usage = z.infer<typeof usage>;

const n = z.number().int().min(0);

/** A Job the operator makes, and what came of the last one. */
export const job = z.object({
  number: n.describe('Jobs made so far; the last one has this number.'),
  name: z.string().max(253).optional().describe('The Job that is active, if any.'),
  failures: n.optional().describe('Failures in a row.'),
  retryTime: timestamp.optional().describe('The next one starts not before this.'),
  reason: z.string().max(128).optional().describe('What the last one said, in one word.'),
  message: z.string().max(4096).optional().describe('What the last one said, in a sentence.'),
});

export const prepareJob = job.extend({
  generation: n.optional().describe('metadata.generation that the last one looked at; another is looked at at once.'),
});
export type PrepareStatus = z.infer<typeof prepareJob>;

export const judgeJob = job.extend({
  specHash: z.string().max(64).optional().describe('Hash of spec.judge that the verdicts belong to.'),
  endHash: z
    .string()
    .max(64)
    .optional()
    .describe('Hash of all of spec.judge at the last end; no Job is started after it until that changes.'),
  againTime: timestamp
    .optional()
    .describe('When spec.judge was changed after the end: deadlines.judgeSeconds counts anew.'),
  summarised: n.optional().describe('Closed runs in the last summary.'),
});
