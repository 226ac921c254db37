import { z } from 'zod';
import { time } from '../fields.ts';

/** Status parts of both kinds. Status is written by our own programs, so lists are atomic and small. */

/** A condition in Kubernetes' own shape, so that `kubectl wait` works. */
const condition = z.object({
  type: z.string().min(1).max(316).describe('What the condition is about.'),
  status: z.enum(['True', 'False', 'Unknown']),
  observedGeneration: z.number().int().min(0).optional().describe('metadata.generation that this was decided for.'),
  lastTransitionTime: time.describe('When status last changed.'),
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
};

/** What was spent: agent at the top, judge apart. */
export const usage = z.object({
  ...usageFields,
  judge: z.object(usageFields).optional().describe('Spent by the judge.'),
});
export type Usage = z.infer<typeof usage>;
