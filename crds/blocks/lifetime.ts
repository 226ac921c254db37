import { z } from 'zod';

/** Kubernetes' own field of Jobs, for both kinds. @param what that is deleted. */
export const ttlSecondsAfterFinished = (what: string): z.ZodOptional<z.ZodNumber> =>
  z
    .number()
    .int()
    .min(0)
    .max(2_147_483_647)
    .optional()
    .describe(`Seconds after its end until ${what} is deleted. Absent: never.`);
