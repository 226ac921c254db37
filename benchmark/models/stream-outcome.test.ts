import { describe, expect, it } from 'vitest';
import type { ProviderFailure } from './provider-failure.ts';
import { callOutcome, type ReadAnswer } from './call-outcome.ts';
import type { ApiType } from './models-file.ts';
import { createStreamOutcome } from './stream-outcome.ts';

function outcome(apiType: ApiType, status: number, answer: ReadAnswer): ProviderFailure | 'Ok' {
  const came = callOutcome(apiType, { status, headers: {} }, answer, 0);
  return came.ok ? 'Ok' : came.kind;
}

type StreamRow = readonly [what: string, apiType: ApiType, events: readonly unknown[], right: ProviderFailure | 'Ok'];
const text = { choices: [{ delta: { content: 'x' }, finish_reason: null }] };
const stop = { choices: [{ delta: {}, finish_reason: 'stop' }] };
const delta = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'x' } };

const STREAMS: readonly StreamRow[] = [
  ['chat: whole', 'openai-completions', [text, stop, '[DONE]'], 'Ok'],
  ['chat: whole without [DONE]', 'openai-completions', [text, stop], 'Ok'],
  ['chat: whole without a finish reason', 'openai-completions', [text, '[DONE]'], 'Ok'],
  ['chat: cut after text', 'openai-completions', [text, text], 'Server'],
  ['chat: nothing', 'openai-completions', [], 'Server'],
  ['chat: [DONE] alone', 'openai-completions', ['[DONE]'], 'Server'],
  ['chat: usage and [DONE]', 'openai-completions', [{ choices: [], usage: { total_tokens: 3 } }, '[DONE]'], 'Server'],
  [
    'OpenRouter: an error after text',
    'openai-completions',
    [text, { error: { code: 502, message: 'x' }, choices: [{ delta: {}, finish_reason: 'error' }] }, '[DONE]'],
    'Server',
  ],
  [
    'OpenRouter: finish reason error',
    'openai-completions',
    [text, { choices: [{ delta: {}, finish_reason: 'error' }] }],
    'Server',
  ],
  [
    'LiteLLM: an error in the middle',
    'openai-completions',
    [text, { error: { message: 'x', type: null, code: '429' } }],
    'RateLimit',
  ],
  [
    'LiteLLM: an error after the end',
    'openai-completions',
    [text, stop, { error: { message: 'x', code: '500' } }],
    'Server',
  ],
  [
    'messages: whole',
    'anthropic-messages',
    [{ type: 'message_start', message: {} }, delta, { type: 'message_stop' }],
    'Ok',
  ],
  [
    'messages: whole without message_stop',
    'anthropic-messages',
    [delta, { type: 'message_delta', delta: { stop_reason: 'end_turn' } }],
    'Ok',
  ],
  [
    'messages: overloaded at once',
    'anthropic-messages',
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
    'Server',
  ],
  [
    'messages: overloaded after text',
    'anthropic-messages',
    [delta, { type: 'error', error: { type: 'overloaded_error' } }],
    'Server',
  ],
  ['messages: cut after text', 'anthropic-messages', [{ type: 'message_start', message: {} }, delta], 'Server'],
  [
    'responses: whole',
    'openai-responses',
    [
      { type: 'response.output_text.delta', delta: 'x' },
      { type: 'response.completed', response: { status: 'completed', error: null } },
    ],
    'Ok',
  ],
  [
    'responses: out of tokens',
    'openai-responses',
    [{ type: 'response.incomplete', response: { status: 'incomplete' } }],
    'Ok',
  ],
  [
    'responses: failed',
    'openai-responses',
    [{ type: 'response.failed', response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'x' } } }],
    'RateLimit',
  ],
  ['responses: an error event', 'openai-responses', [{ type: 'error', code: 'server_error', message: 'x' }], 'Server'],
  [
    'responses: cut',
    'openai-responses',
    [{ type: 'response.created', response: { status: 'in_progress', error: null } }],
    'Server',
  ],
  [
    'Gemini: whole',
    'google-generative-ai',
    [{ candidates: [{ content: {} }] }, { candidates: [{ finishReason: 'STOP' }] }],
    'Ok',
  ],
  ['Gemini: blocked', 'google-generative-ai', [{ promptFeedback: { blockReason: 'SAFETY' } }], 'Ok'],
  [
    'Gemini: an error',
    'google-generative-ai',
    [{ candidates: [{ content: {} }] }, { error: { code: 503, status: 'UNAVAILABLE' } }],
    'Server',
  ],
];

function stream(apiType: ApiType, events: readonly unknown[]): ReadAnswer {
  const follow = createStreamOutcome(apiType, 200);
  for (const event of events) follow.push(typeof event === 'string' ? event : JSON.stringify(event));
  return { stream: follow.soFar };
}

describe('a stream', () => {
  it.each(STREAMS)('%s (%s)', (_what, apiType, events, right) => {
    expect(outcome(apiType, 200, stream(apiType, events))).toBe(right);
  });

  it('an event named error without readable data is a failure', () => {
    const follow = createStreamOutcome('openai-completions', 200);
    follow.push('upstream went away', 'error');
    expect(outcome('openai-completions', 200, { stream: follow.soFar })).toBe('Server');
  });

  it('has begun with the first content and not with its envelope', () => {
    const follow = createStreamOutcome('anthropic-messages', 200);
    follow.push(JSON.stringify({ type: 'message_start', message: {} }));
    follow.push(JSON.stringify({ type: 'ping' }));
    expect(follow.soFar.begun).toBe(false);
    follow.push(JSON.stringify(delta));
    expect(follow.soFar.begun).toBe(true);
  });

  it('that is cut before its final event is never a success, wherever it is cut', () => {
    for (const [what, apiType, events, right] of STREAMS.filter((row) => row[3] === 'Ok')) {
      const upToFinal = events.findIndex(
        (_, index) => outcome(apiType, 200, stream(apiType, events.slice(0, index + 1))) === 'Ok',
      );
      for (let cut = 0; cut < upToFinal; cut++) {
        expect(outcome(apiType, 200, stream(apiType, events.slice(0, cut))), `${what} at ${String(cut)}`).not.toBe(
          right,
        );
      }
    }
  });
});
