import { z } from 'zod';
import { boundedCount, boundedUSD, MAX_CALLS, MAX_TOKENS } from '../usage/bounds.ts';

const count = (max: number) =>
  z
    .unknown()
    .optional()
    .transform((value) => boundedCount(value, max));

/**
 * The usage that a Pod reports for its agent. Invalid numbers are bounded instead of rejected: the agent can influence them,
 * and an absurd one must not invalidate the rest of the message.
 */
export const reportedUsage = z.object({
  costUSD: z.unknown().optional().transform(boundedUSD),
  tokens: count(MAX_TOKENS),
  apiCalls: count(MAX_CALLS),
});
