import { z } from 'zod';
import { OUTCOMES } from '../../benchmark/outcome/outcome.ts';
import { celRules } from '../cel.ts';
import { freeName, line, seconds } from '../fields.ts';

const count = z.number().int().min(1).max(100_000);

/** Gentle on live sites and providers; shared by all runs of the batch. */
export const limits = z
  .object({
    perSite: count.optional().describe('Runs at a time on one site.'),
    perModel: count.optional().describe('Runs at a time of one model.'),
    startsPerMinute: count.optional().describe('Pods created per minute.'),
  })
  .describe('Limits beside parallelism.');

/** Money and tokens, runs and judge together. */
export const budget = z
  .object({
    costUSD: z.number().min(0).max(10_000_000).optional().describe('US dollars for the whole batch.'),
    tokens: z.number().int().min(0).max(1_000_000_000_000).optional().describe('Tokens for the whole batch.'),
    perRunCostUSD: z
      .number()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe('US dollars for one run, all attempts together; needs a price for its model.'),
    perRunTokens: z
      .number()
      .int()
      .min(0)
      .max(1_000_000_000_000)
      .optional()
      .describe('Tokens for one run, all attempts together.'),
    perRunCalls: z
      .number()
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe('Model calls for one run, all attempts together.'),
    onExceeded: z
      .enum(['Pause', 'Cancel'])
      .default('Pause')
      .describe('Start nothing more until the budget is raised, or end the batch.'),
  })
  .describe('What the batch may spend.');

const retryRule = z.object({
  outcomes: z.array(z.enum(OUTCOMES)).max(8).default([]).describe('Outcomes the rule is for. Empty: any.'),
  reasons: z
    .array(
      z
        .string()
        .regex(/^[A-Z][A-Za-z0-9]*$/)
        .max(64),
    )
    .max(64)
    .default([])
    .describe('Reasons the rule is for. Empty: any.'),
  action: z.enum(['Retry', 'Stop']).describe('Try again, or close the run with this outcome.'),
  limit: z.number().int().min(0).max(100).optional().describe('Retries by this rule per run.'),
});

/** Second attempts. Infrastructure failures are retried without counting as an attempt of the agent. */
export const retry = z
  .object({
    infrastructureLimit: z
      .number()
      .int()
      .min(0)
      .max(20)
      .default(3)
      .describe('Retries of a run after infrastructure failures; then the failure is its result.'),
    rules: z.array(retryRule).max(32).default([]).describe('Rules by outcome and reason; the first that fits decides.'),
  })
  .describe('When a run is tried again.');

/** The ladder of deadlines: each step has its own clock and its own word in the outcome. */
export const deadlines = z
  .object({
    pendingSeconds: seconds.min(1).default(1800).describe('Pod created until its recorder runs: scheduling, pulls.'),
    setupSeconds: seconds.min(1).default(120).describe('Recorder started until interception is armed.'),
    agentStartSeconds: seconds.min(1).default(120).describe('Armed until the agent was started.'),
    idleSeconds: seconds.min(1).default(300).describe('Longest time without a new action.'),
    tailSeconds: seconds.max(300).default(2).describe('The recording goes on this long after an interception.'),
    agentKillSeconds: seconds.max(600).default(5).describe('From asking the agent to end until it is killed.'),
    finaliseSeconds: seconds.min(1).default(60).describe('To close and check the evidence files.'),
    uploadSeconds: seconds.min(1).default(300).describe('To bring the evidence to the object store.'),
    graceSeconds: seconds
      .min(1)
      .default(400)
      .describe("The Pod's termination grace: what an ordered stop has for kill, finalise and upload together."),
    judgeSeconds: seconds
      .max(2_592_000)
      .default(86_400)
      .describe('From the last run until verdicts that are still missing are counted as unjudged.'),
  })
  .meta(
    celRules({
      rule: 'self.graceSeconds >= self.agentKillSeconds + self.finaliseSeconds + self.uploadSeconds',
      message:
        'spec.deadlines.graceSeconds must be at least agentKillSeconds + finaliseSeconds + uploadSeconds, or a stop loses evidence.',
    }),
  )
  .describe('Time limits of the steps of a run, in seconds.');
export type Deadlines = z.infer<typeof deadlines>;

/** Runs again what is named, once per nonce. */
export const batchRerun = z
  .object({
    outcomes: z.array(z.enum(OUTCOMES)).max(8).default([]).describe('Outcomes to run again.'),
    tasks: z.array(freeName).max(2000).default([]).describe('Cases to run again, globs allowed.'),
    nonce: line(64).describe('Any new text: each new one reruns once.'),
  })
  .describe('Runs to run again.');
