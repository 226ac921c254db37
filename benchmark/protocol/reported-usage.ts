import { z } from 'zod';
import { boundedCount, boundedUSD, MAX_CALLS, MAX_TOKENS } from '../usage/bounds.ts';

const count = (max: number) =>
  z
    .unknown()
    .optional()
    .transform((value) => boundedCount(value, max));

/**
 * What a Pod says that its agent spent. Never refused: the agent has a hand in these numbers, and an absurd one must
 * not cost the rest of what is said.
 */
export const reportedUsage = z.object({
  costUSD: z.unknown().optional().transform(boundedUSD),
  tokens: count(MAX_TOKENS),
  apiCalls: count(MAX_CALLS),
});
