import { expect, it } from 'vitest';
import { outcomeFromBundle } from './bundle-outcome.ts';

const caught = { intercepted: true, clawbench: { attempt: 1, cause: 'intercepted' } };
const pending = { attempt: 1, outcome: { outcome: 'JudgePending', reason: 'Intercepted', message: 'Blocked.' } };
const yes = { match: true, reason: 'r' };
const no = { match: false, reason: 'r' };
const unusable = { match: null };

const outcomeOf = (meta: object, more: object = {}): string => {
  const { outcome, reason } = outcomeFromBundle({
    meta: meta as Record<string, unknown>,
    claim: null,
    verdicts: {},
    ...more,
  });
  return `${outcome}/${reason}`;
};

it.each([
  ['strict match', { ...caught, pass: true }, { claim: pending, verdicts: { Strict: yes } }, 'Passed/JudgedMatch'],
  [
    'strict mismatch',
    { ...caught, pass: false },
    { claim: pending, verdicts: { Strict: no, Lenient: yes } },
    'Failed/JudgedMismatch',
  ],
  [
    'lenient decides',
    { ...caught, pass: true },
    { claim: pending, verdicts: { Strict: no, Lenient: yes } },
    'Passed/JudgedMatch',
  ],
  [
    'lenient overrules',
    { ...caught, pass: false },
    { claim: pending, verdicts: { Strict: yes, Lenient: no } },
    'Failed/JudgedMismatch',
  ],
  [
    'no usable answer',
    { ...caught, pass: false },
    { claim: pending, verdicts: { Strict: unusable } },
    'JudgePending/Intercepted',
  ],
  ['no verdict yet', caught, { claim: pending }, 'JudgePending/Intercepted'],
  ['only the answer rubric', caught, { claim: pending, verdicts: { Answer: yes } }, 'Passed/JudgedMatch'],
  [
    'only the evaluator',
    { ...caught, pass: false },
    { claim: pending, verdicts: { Agentic: no } },
    'Failed/JudgedMismatch',
  ],
  [
    'the evaluator decides',
    { ...caught, pass: true },
    { claim: pending, verdicts: { Strict: no, Agentic: yes } },
    'Passed/JudgedMatch',
  ],
  [
    'a session that the evaluator decides',
    { intercepted: false, pass: true, clawbench: { cause: 'timeLimit' } },
    { verdicts: { Agentic: yes } },
    'Passed/JudgedMatch',
  ],
  [
    'a session that it only comments',
    { intercepted: false, clawbench: { cause: 'timeLimit' } },
    { verdicts: { Agentic: yes } },
    'TimedOut/TimeLimitExceeded',
  ],
  [
    'a session that broke',
    { intercepted: false, pass: true, clawbench: { cause: 'infrastructure', reason: 'CdpLost' } },
    { verdicts: { Agentic: yes } },
    'Infrastructure/CdpLost',
  ],
  ['upstream’s bundle', { intercepted: true, judge: yes }, {}, 'Passed/JudgedMatch'],
])('%s', (_name, meta, files, expected) => {
  expect(outcomeOf(meta, files)).toBe(expected);
});

it.each([
  [{ clawbench: { cause: 'timeLimit' } }, 'TimedOut/TimeLimitExceeded'],
  [{ clawbench: { cause: 'infrastructure', reason: 'CdpLost' } }, 'Infrastructure/CdpLost'],
  [{ clawbench: { outcome: 'Infrastructure', reason: 'NodeLost' } }, 'Infrastructure/NodeLost'],
  [{ clawbench: { cause: 'constructor' } }, 'Failed/'],
  [{ intercepted: true, run_flags: { no_judge: true } }, 'Passed/Intercepted'],
  [{ intercepted: true, clawbench: { body_unavailable: true } }, 'EvidenceIncomplete/BodyUnavailable'],
  [{ infra_failure: true, result_category: 'infra_failure' }, 'Infrastructure/infra_failure'],
  [{ run_metrics: { stop_reason: 'time_limit_exceeded' } }, 'TimedOut/TimeLimitExceeded'],
])('without a claim %j is %s', (meta, expected) => {
  expect(outcomeOf(meta)).toBe(expected);
});

it('ignores the claim of another attempt', () => {
  const meta = { clawbench: { attempt: 1, cause: 'infrastructure', reason: 'CdpLost' } };
  expect(outcomeOf(meta, { claim: { ...pending, attempt: 2 } })).toBe('Infrastructure/CdpLost');
});

it('names the deciding rubric', () => {
  const verdicts = { Strict: no, Answer: { match: true, reason: 'right' } };
  const files = { meta: { ...caught, pass: true }, claim: pending, verdicts };
  expect(outcomeFromBundle(files).message).toBe('Answer: right');
});
