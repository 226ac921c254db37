import { describe, expect, it } from 'vitest';
import { transcriptCalls } from './transcript.ts';

/** Written after the shapes of the nine harnesses: what each of their calls cost is known beforehand. */
const SHAPES: readonly (readonly [string, readonly unknown[], readonly number[]])[] = [
  [
    'openclaw',
    [
      { type: 'session', id: 's' },
      { type: 'message', id: 'e1', message: { role: 'user', content: [] } },
      {
        type: 'message',
        id: 'e2',
        message: { role: 'assistant', provider: 'p', usage: { input: 10, output: 5, cacheRead: 3, totalTokens: 18 } },
      },
      { type: 'message', id: 'e3', message: { role: 'assistant', provider: 'p', usage: { input: 7, output: 1 } } },
    ],
    [18, 8],
  ],
  [
    'opencode',
    [
      { type: 'step_start', part: { id: 'p0' } },
      {
        type: 'step_finish',
        part: { id: 'p1', tokens: { input: 9, output: 2, reasoning: 1, cache: { read: 4, write: 0 } } },
      },
      {
        type: 'step_finish',
        part: { id: 'p2', tokens: { input: 1, output: 2, reasoning: 0, cache: { read: 0, write: 3 } } },
      },
    ],
    [16, 6],
  ],
  [
    'claude: partial outputs, closed by the true sum',
    [
      { type: 'system', session_id: 's' },
      { type: 'assistant', uuid: 'u1', message: { id: 'msg_1', usage: { input_tokens: 10, output_tokens: 1 } } },
      { type: 'assistant', uuid: 'u2', message: { id: 'msg_1', usage: { input_tokens: 10, output_tokens: 1 } } },
      { type: 'assistant', uuid: 'u3', message: { id: 'msg_2', usage: { input_tokens: 20, output_tokens: 1 } } },
      { type: 'result', usage: { input_tokens: 30, output_tokens: 100 }, modelUsage: {} },
    ],
    [11, 119],
  ],
  [
    'codex on stdout: running totals of the thread',
    [
      { type: 'thread.started', thread_id: 't' },
      { type: 'turn.completed', usage: { input_tokens: 100, cached_input_tokens: 40, output_tokens: 20 } },
      { type: 'turn.completed', usage: { input_tokens: 300, cached_input_tokens: 140, output_tokens: 50 } },
    ],
    [120, 230],
  ],
  [
    'codex rollout: each count repeated, the last one reported twice',
    [
      { type: 'session_meta', payload: { id: 's' } },
      ...[100, 100, 250].map((input, index) => ({
        timestamp: `2026-01-01T00:00:0${String(index)}Z`,
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: {
            total_token_usage: { input_tokens: input, output_tokens: input / 10, reasoning_output_tokens: 5 },
            last_token_usage: { input_tokens: 1, output_tokens: 1 },
          },
        },
      })),
      { type: 'event_msg', payload: { type: 'token_count', info: null } },
    ],
    [110, 165],
  ],
  [
    'browser-use',
    [
      { model_output: {}, result: [], metadata: { step_number: 1, usage: { prompt_tokens: 9, completion_tokens: 1 } } },
      {
        model_output: {},
        result: [],
        metadata: { step_number: 2, usage: { prompt_tokens: 20, completion_tokens: 2 } },
      },
    ],
    [10, 22],
  ],
  [
    'claw-code',
    [
      { type: 'session_meta', version: 1 },
      { type: 'message', message: { role: 'assistant', usage: { input_tokens: 5, output_tokens: 2 } } },
      { type: 'message', message: { role: 'assistant', usage: { input_tokens: 5, output_tokens: 2 } } },
    ],
    [7, 7],
  ],
  [
    'hermes: only the session is counted, and reported again at the end',
    [
      { type: 'session_meta', session_id: 's', model: 'm', input_tokens: 10, output_tokens: 1, api_call_count: 1 },
      { type: 'message', role: 'assistant', content: 'x' },
      { type: 'session_meta', session_id: 's', model: 'm', input_tokens: 90, output_tokens: 9, api_call_count: 7 },
    ],
    [99],
  ],
  [
    'pi: start, end and turn of one message',
    [
      { type: 'message_start', message: { role: 'assistant', timestamp: 1, usage: { input: 0, output: 0 } } },
      {
        type: 'message_end',
        message: { role: 'assistant', timestamp: 1, responseId: 'r1', usage: { input: 8, output: 2 } },
      },
      {
        type: 'turn_end',
        message: { role: 'assistant', timestamp: 1, responseId: 'r1', usage: { input: 8, output: 2 } },
      },
      { type: 'agent_end', messages: [{ role: 'assistant', usage: { input: 8, output: 2 } }] },
    ],
    [10],
  ],
  [
    'webbrain',
    [
      { type: 'user', content: 'x' },
      { type: 'webbrain_trace', id: 't1', usage: { prompt_tokens: 3, completion_tokens: 1 } },
      { type: 'assistant', content: 'done' },
    ],
    [4],
  ],
];

describe('transcriptCalls', () => {
  it.each(SHAPES)('%s', (_name, events, totals) => {
    expect(transcriptCalls(events).map((call) => call.usage.total_tokens)).toEqual(totals);
  });
  it.each(SHAPES)('%s: counting twice gives the same calls', (_name, events) => {
    expect(transcriptCalls(events)).toEqual(transcriptCalls(structuredClone(events) as unknown[]));
  });
  it('adds the surplus of a closing total to the last call, part by part, and never subtracts', () => {
    const call = { id: 'a', usage: { input_tokens: 10, output_tokens: 50 } };
    const [less] = transcriptCalls([call, { type: 'result', usage: { input_tokens: 5, output_tokens: 5 } }]);
    expect(less?.usage).toMatchObject({ input_tokens: 10, output_tokens: 50, total_tokens: 60 });
    const [more] = transcriptCalls([
      call,
      { type: 'result', usage: { input_tokens: 5, output_tokens: 60, cache_read_input_tokens: 7 } },
    ]);
    expect(more?.usage).toMatchObject({ input_tokens: 10, output_tokens: 60, cache_read_tokens: 2, total_tokens: 72 });
  });
  it('starts again when a running total decreases', () => {
    const turns = [90, 30].map((input_tokens) => ({ type: 'turn.completed', usage: { input_tokens } }));
    expect(transcriptCalls(turns).map((call) => call.usage.total_tokens)).toEqual([90, 30]);
  });
});
