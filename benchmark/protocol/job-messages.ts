import { z } from 'zod';

/** What the `prepare` and judge Jobs exchange with the operator: ConfigMaps as input, termination messages as output. */

/** Row of `<batch>-tasks` (immutable ConfigMap, `tasks.json` as in row-list.ts: an array of these, in task order). */
export const taskRow = z.object({
  /** Case name in the suite, without `.json`. */
  case: z.string(),
  taskId: z.number().int().nullable(),
  /** SHA-256 (hex) of the raw task file. */
  sha256: z.string(),
  metaclass: z.string(),
  class: z.string(),
  /** One of the paper's eight groups, or `Other`. */
  group: z.string(),
  /** First of `sites_involved`, as a host name; empty when unknown. */
  site: z.string(),
  timeLimitSeconds: z.number(),
  /** The pattern is the placeholder that never matches. */
  placeholder: z.boolean(),
});
export type TaskRow = z.infer<typeof taskRow>;

/** Termination message of the `prepare` Job's pod. */
export const prepareMessage = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), tasks: z.number().int(), models: z.array(z.string()) }),
  /** `reason` is CamelCase for the condition; `message` is one sentence that names the field, the remedy last. */
  z.object({ ok: z.literal(false), reason: z.string(), message: z.string(), retryable: z.boolean() }),
]);
export type PrepareMessage = z.infer<typeof prepareMessage>;

/** Row of `<batch>-judge-<n>` (immutable ConfigMap, `runs.json` as in row-list.ts: an array of these). */
export const judgeRow = z.object({
  run: z.string(),
  uid: z.string(),
  /** `Judge`: ask for the verdicts that are missing. `Promote`: retries are exhausted, and the attempt's meta becomes the run's. */
  action: z.enum(['Judge', 'Promote']),
  /** Key prefix of the attempt that counts, below the store's prefix, with trailing slash. */
  prefix: z.string(),
  model: z.string(),
  harness: z.string(),
  case: z.string(),
  repetition: z.number().int(),
  /** The outcome of a run without an intercepted request; absent when an intercepted request waits for its verdict. */
  outcome: z.string().optional(),
  reason: z.string().optional(),
});
export type JudgeRow = z.infer<typeof judgeRow>;

/** Termination message of the judge Job's pod. */
export const judgeMessage = z.object({
  ok: z.boolean(),
  judged: z.number().int(),
  unjudged: z.number().int(),
  promoted: z.number().int(),
  /** The summary objects were written for this many runs. */
  summarised: z.number().int(),
  /** The cost of the judge's replies; `costUSD` excludes calls without a known price. */
  usage: z
    .object({
      costUSD: z.number().nullable(),
      tokens: z.number().int(),
      apiCalls: z.number().int(),
      unpricedCalls: z.number().int(),
    })
    .optional(),
  reason: z.string(),
  message: z.string(),
});
export type JudgeMessage = z.infer<typeof judgeMessage>;
