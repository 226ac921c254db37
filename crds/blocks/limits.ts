import { z } from 'zod';
import { OUTCOMES } from '../../benchmark/outcome/outcome.ts';
import { celRules } from '../cel.ts';
import { freeName, line, seconds } from '../fields.ts';

const count = z.number().int().min(1).max(100_000);

/** Limits that protect live sites and providers; shared by all runs of the batch. */
export const limits = z
  .object({
    perSite: count
      .optional()
      .describe('perSite is the maximum number of runs that use the same site at the same time.'),
    perModel: count
      .optional()
      .describe('perModel is the maximum number of runs that use the same model at the same time.'),
    startsPerMinute: count
      .optional()
      .describe('startsPerMinute is the maximum number of Pods that are created per minute.'),
  })
  .describe('limits specifies limits in addition to parallelism.');

/** Cost and tokens, of runs and judge together. */
export const budget = z
  .object({
    costUSD: z
      .number()
      .min(0)
      .max(10_000_000)
      .optional()
      .describe('costUSD is the maximum cost of the whole batch, in US dollars.'),
    tokens: z
      .number()
      .int()
      .min(0)
      .max(1_000_000_000_000)
      .optional()
      .describe('tokens is the maximum number of tokens of the whole batch.'),
    perRunCostUSD: z
      .number()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe(
        'perRunCostUSD is the maximum cost of one run over all its attempts, in US dollars. It requires a price for the model.',
      ),
    perRunTokens: z
      .number()
      .int()
      .min(0)
      .max(1_000_000_000_000)
      .optional()
      .describe('perRunTokens is the maximum number of tokens of one run over all its attempts.'),
    perRunCalls: z
      .number()
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe('perRunCalls is the maximum number of model calls of one run over all its attempts.'),
    onExceeded: z
      .enum(['Pause', 'Cancel'])
      .default('Pause')
      .describe(
        'onExceeded specifies what happens once the budget is exceeded. Pause starts no further runs until the budget is raised; Cancel cancels the batch.',
      ),
  })
  .describe('budget limits what may be spent.');

const retryRule = z.object({
  outcomes: z
    .array(z.enum(OUTCOMES))
    .max(8)
    .default([])
    .describe('outcomes lists the outcomes that the rule applies to. If empty, it applies to all.'),
  reasons: z
    .array(
      z
        .string()
        .regex(/^[A-Z][A-Za-z0-9]*$/)
        .max(64),
    )
    .max(64)
    .default([])
    .describe('reasons lists the reasons that the rule applies to. If empty, it applies to all.'),
  action: z.enum(['Retry', 'Stop']).describe('action specifies whether the run is retried or ends with this outcome.'),
  limit: z
    .number()
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('limit is the maximum number of retries of a run by this rule.'),
});

/** Further attempts. Infrastructure failures are retried without counting as an attempt of the agent. */
export const retry = z
  .object({
    infrastructureLimit: z
      .number()
      .int()
      .min(0)
      .max(20)
      .default(3)
      .describe(
        'infrastructureLimit is the number of times a run is retried after an infrastructure failure before the failure becomes its outcome.',
      ),
    rules: z
      .array(retryRule)
      .max(32)
      .default([])
      .describe('rules lists retry rules by outcome and reason. The first matching rule applies.'),
  })
  .describe('retry specifies when a run is retried.');

/** The deadlines of an attempt: each step has its own clock and its own reason in the outcome. */
export const deadlines = z
  .object({
    pendingSeconds: seconds
      .min(1)
      .default(1800)
      .describe(
        'pendingSeconds is the time from the creation of the Pod until its recorder runs. It includes scheduling and image pulls.',
      ),
    setupSeconds: seconds
      .min(1)
      .default(120)
      .describe('setupSeconds is the time from the start of the recorder until interception is armed.'),
    agentStartSeconds: seconds
      .min(1)
      .default(120)
      .describe('agentStartSeconds is the time from armed interception until the agent has started.'),
    idleSeconds: seconds
      .min(1)
      .default(300)
      .describe('idleSeconds is the longest time that the agent may take without a new action.'),
    tailSeconds: seconds
      .max(300)
      .default(2)
      .describe('tailSeconds is the time that the recording continues after an interception.'),
    agentKillSeconds: seconds
      .max(600)
      .default(5)
      .describe('agentKillSeconds is the time from SIGTERM until the agent is killed.'),
    finaliseSeconds: seconds
      .min(1)
      .default(60)
      .describe('finaliseSeconds is the time in which the evidence files are closed and checked.'),
    uploadSeconds: seconds
      .min(1)
      .default(300)
      .describe('uploadSeconds is the time in which the evidence is uploaded to the object store.'),
    graceSeconds: seconds
      .min(1)
      .default(400)
      .describe(
        'graceSeconds is the termination grace period of the Pod, which must cover agentKillSeconds, finaliseSeconds and uploadSeconds together.',
      ),
    judgeSeconds: seconds
      .max(2_592_000)
      .default(86_400)
      .describe(
        'judgeSeconds is the time after the last run until verdicts that are still missing are counted as unjudged.',
      ),
  })
  .meta(
    celRules({
      rule: 'self.graceSeconds >= self.agentKillSeconds + self.finaliseSeconds + self.uploadSeconds',
      message:
        'spec.deadlines.graceSeconds must be at least agentKillSeconds + finaliseSeconds + uploadSeconds, otherwise evidence is lost when the Pod is stopped.',
    }),
  )
  .describe('deadlines specifies the time limits of the steps of a run, in seconds.');
export type Deadlines = z.infer<typeof deadlines>;

/** Repeats the named runs, once per nonce. */
export const batchRerun = z
  .object({
    outcomes: z
      .array(z.enum(OUTCOMES))
      .max(8)
      .default([])
      .describe('outcomes lists the outcomes whose runs are repeated.'),
    tasks: z
      .array(freeName)
      .max(2000)
      .default([])
      .describe('tasks lists the names of the cases whose runs are repeated. Glob patterns are allowed.'),
    nonce: line(64).describe('nonce is an arbitrary text. Each new value repeats the runs once.'),
  })
  .describe('rerun specifies runs to repeat.');
