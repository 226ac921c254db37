import { z } from 'zod';

/** The field of the same name of a Job, for both kinds. @param what the object that is deleted */
export const ttlSecondsAfterFinished = (what: string): z.ZodOptional<z.ZodNumber> =>
  z
    .number()
    .int()
    .min(0)
    .max(2_147_483_647)
    .optional()
    .describe(
      `ttlSecondsAfterFinished is the time in seconds after which ${what} is deleted once it has finished. If omitted, it is never deleted.`,
    );
