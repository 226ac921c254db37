import { describe, expect, it } from 'vitest';
import { isEligible } from './eligible.ts';

describe('isEligible', () => {
  it.each([
    ['a floor harness stays in, though its transcript is empty', ['Failed', 'null', 'infra_failure'], true],
    ['an agent without a transcript is a broken set-up', ['Failed', 'hermes', 'infra_failure'], false],
    ['a lack of credit is not the agent’s result', ['Failed', 'hermes', 'api_or_credit'], false],
    ['a task that could not be read is not', ['Failed', 'hermes', 'task_data'], false],
    ['a prompt that could not be built is not', ['Failed', 'hermes', 'build_instruction'], false],
    ['a run that was cancelled is not', ['Cancelled', 'hermes', 'intercepted'], false],
    ['an agent that failed is', ['Failed', 'hermes', 'model_not_intercepted'], true],
    ['an interception is', ['Passed', 'hermes', 'intercepted'], true],
    ['a node that died is not, whatever was caught before', ['Infrastructure', 'replay', 'intercepted'], false],
    ['evidence that is not safe is not', ['EvidenceIncomplete', 'replay', 'intercepted'], false],
    ['an escape is not', ['InterceptionEscape', 'null', 'model_not_intercepted'], false],
    ['a bundle without our outcome goes by its category', [null, 'openclaw', 'intercepted'], true],
    ['and so does one that failed', [null, 'openclaw', 'infra_failure'], false],
    ['a harness of one’s own is taken to use no model', ['TimedOut', 'mine', 'infra_failure'], true],
  ] as const)('%s', (_sentence, [outcome, harness, resultCategory], expected) => {
    expect(isEligible({ outcome, harness, resultCategory })).toBe(expected);
  });
});
