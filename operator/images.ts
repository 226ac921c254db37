import { z } from 'zod';

/** Image references of one release, from the chart (`CLAWBENCH_IMAGES`, JSON). */
export const images = z.object({
  recorder: z.string().min(1),
  browser: z.string().min(1),
  judge: z.string().min(1),
  /** By harness name. */
  harnesses: z.record(z.string(), z.string().min(1)).default({}),
});
export type Images = z.infer<typeof images>;
