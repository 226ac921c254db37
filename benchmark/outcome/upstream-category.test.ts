import { describe, expect, it } from 'vitest';
import { apiCalls } from '../usage/api-calls.ts';
import { apiOrCreditEvidence } from './provider-refusal-evidence.ts';
import { classifyRun, missingFiles, type CategoryFacts } from './upstream-category.ts';
import { readStopReason } from './stop-reason.ts';

const facts = (more: Partial<CategoryFacts> = {}): CategoryFacts => ({
  intercepted: false,
  stopReason: 'agent_exited',
  actions: 2,
  requests: 3,
  messages: 1,
  apiCalls: 1,
  recordingBytes: 100,
  recordingRequired: true,
  missingFiles: [],
  apiOrCreditEvidence: null,
  hasData: true,
  ...more,
});

describe('classifyRun', () => {
  it.each<[string, Partial<CategoryFacts>, string]>([
    [
      'an interception wins over everything',
      { intercepted: true, defaultCategory: 'infra_failure', messages: 0 },
      'intercepted',
    ],
    ['then the given category', { defaultCategory: 'task_data', apiOrCreditEvidence: 'x' }, 'task_data'],
    ['then evidence of the provider', { apiOrCreditEvidence: 'x', stopReason: 'proxy_failed' }, 'api_or_credit'],
    ['then the stop reason', { stopReason: 'proxy_failed' }, 'infra_failure'],
    ['then a run in which nothing happened', { actions: 0, requests: 0, apiCalls: 0 }, 'infra_failure'],
    ['a run without calls in which something happened', { apiCalls: 0, actions: 0 }, 'model_not_intercepted'],
    ['a run without actions in which something happened', { actions: 0, requests: 0 }, 'model_not_intercepted'],
    ['a run without requests in which something happened', { apiCalls: 0, requests: 0 }, 'model_not_intercepted'],
    ['a run without a stop reason', { stopReason: null }, 'model_not_intercepted'],
    ['then an empty transcript', { messages: 0 }, 'infra_failure'],
    ['then nothing collected', { hasData: false }, 'infra_failure'],
    ['and else the agent failed', { stopReason: 'time_limit_exceeded', recordingBytes: 0 }, 'model_not_intercepted'],
  ])('%s', (_name, more, category) => {
    const { result_category, failure_category, infra_failure } = classifyRun(facts(more));
    expect(result_category).toBe(category);
    expect(failure_category).toBe(category === 'intercepted' ? null : category);
    expect(infra_failure).toBe(category === 'infra_failure');
  });
  it.each(['infra_failure', 'api_or_credit', 'task_data', 'build_instruction'] as const)(
    '%s is not eligible',
    (category) => {
      expect(classifyRun(facts({ defaultCategory: category })).adjusted_eligible).toBe(false);
    },
  );
  it.each([
    [{}, []],
    [{ apiCalls: 0 }, ['zero_api_calls']],
    [{ actions: 0 }, ['zero_actions']],
    [{ requests: 0 }, ['zero_requests']],
    [{ messages: 0 }, ['zero_agent_messages']],
    [{ recordingBytes: 0 }, ['missing_or_empty_recording']],
    [{ recordingBytes: 0, recordingRequired: false }, []],
    [{ recordingRequired: false }, []],
  ])('%j raises %j and nothing else', (more, flags) => {
    expect(classifyRun(facts(more)).infra_flags).toEqual(flags);
  });
  it('is eligible unless infrastructure, provider, task or prompt failed', () => {
    expect(classifyRun(facts()).adjusted_eligible).toBe(true);
    expect(classifyRun(facts({ defaultCategory: 'browser_runtime_setup_failed' })).adjusted_eligible).toBe(true);
    expect(classifyRun(facts({ defaultCategory: 'build_instruction' })).adjusted_eligible).toBe(false);
  });
  it('flags every run', () => {
    const missing = missingFiles(new Set(['actions.jsonl']), true);
    const flags = classifyRun(
      facts({ intercepted: true, recordingBytes: 0, messages: 0, missingFiles: missing }),
    ).infra_flags;
    expect(flags).toEqual([
      'zero_agent_messages',
      'missing_or_empty_recording',
      'missing:data/requests.jsonl',
      'missing:data/agent-messages.jsonl',
      'missing:data/interception.json',
      'missing:data/recording.mp4',
    ]);
    expect(
      missingFiles(new Set(['actions.jsonl', 'requests.jsonl', 'agent-messages.jsonl', 'interception.json']), false),
    ).toEqual([]);
  });
});

describe('apiOrCreditEvidence', () => {
  it('searches errors of assistant messages first, then log lines', () => {
    const rows = [
      { message: { role: 'user', error: 'HTTP 429' } },
      { message: { role: 'assistant', errorMessage: 'Rate limit reached' } },
    ];
    const logs = new Map([
      ['b.log', 'fine\nHTTP 402 from provider\n'],
      ['a.log', 'nothing'],
    ]);
    expect(apiOrCreditEvidence(rows, logs)).toBe('Rate limit reached');
    expect(apiOrCreditEvidence([], logs)).toBe('b.log: HTTP 402 from provider');
    expect(apiOrCreditEvidence([{ error: 'HTTP 429' }, null, 'x'], new Map())).toBeNull();
  });
});

describe('apiCalls', () => {
  it('uses the larger of transcript and usage', () => {
    expect(apiCalls([{ model_output: {} }], 3)).toBe(3);
    expect(apiCalls(['x', null, { model_output: {} }, { model_output: 1 }], 0)).toBe(1);
  });
  it('uses the session’s last count', () => {
    expect(
      apiCalls([
        { type: 'session_meta', api_call_count: 7 },
        { type: 'session_meta', api_call_count: 3 },
      ]),
    ).toBe(3);
  });
});

describe('readStopReason', () => {
  it.each([
    ['agent_idle\n', 'agent_idle'],
    ['proxy_failed extra', 'proxy_failed'],
    ['', 'unknown'],
    [null, 'unknown'],
    ['../../x', 'unknown'],
  ])('%j is %s', (text, word) => {
    expect(readStopReason(text)).toBe(word);
  });
});
