import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiType } from '../models/models-file.ts';
import { usageOfAnswer, type CallUsage } from './answer.ts';
import { createStreamUsage } from './stream.ts';

const parts = (call: CallUsage | null): unknown =>
  call === null
    ? null
    : [
        call.usage.input_tokens,
        call.usage.output_tokens,
        call.usage.cache_read_tokens,
        call.usage.cache_write_tokens,
        call.usage.reasoning_tokens,
        call.model,
        call.id,
      ];

describe('usageOfAnswer', () => {
  it.each<[ApiType, unknown, unknown]>([
    [
      'openai-completions',
      {
        id: 'c1',
        model: 'm',
        usage: {
          prompt_tokens: 100,
          completion_tokens: 50,
          total_tokens: 150,
          prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
          completion_tokens_details: { reasoning_tokens: 30 },
        },
      },
      [50, 20, 40, 10, 30, 'm', 'c1'],
    ],
    [
      'openai-completions',
      {
        usage: { prompt_tokens: 100, completion_tokens: 5, prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40 },
      },
      [40, 5, 60, 0, 0, null, null],
    ],
    [
      'openai-responses',
      {
        id: 'r1',
        model: 'm',
        usage: {
          input_tokens: 100,
          input_tokens_details: { cached_tokens: 64 },
          output_tokens: 50,
          output_tokens_details: { reasoning_tokens: 30 },
        },
      },
      [36, 20, 64, 0, 30, 'm', 'r1'],
    ],
    [
      'anthropic-messages',
      {
        id: 'msg_1',
        model: 'm',
        usage: { input_tokens: 20, output_tokens: 4, cache_read_input_tokens: 6, cache_creation_input_tokens: 7 },
      },
      [20, 4, 6, 7, 0, 'm', 'msg_1'],
    ],
    [
      'google-generative-ai',
      {
        responseId: 'g1',
        modelVersion: 'm',
        usageMetadata: {
          promptTokenCount: 10,
          toolUsePromptTokenCount: 2,
          candidatesTokenCount: 5,
          thoughtsTokenCount: 3,
          cachedContentTokenCount: 4,
          totalTokenCount: 20,
        },
      },
      [8, 5, 4, 0, 3, 'm', 'g1'],
    ],
    [
      'google-generative-ai',
      [
        { usageMetadata: { promptTokenCount: 10 } },
        { usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 7 } },
      ],
      [10, 7, 0, 0, 0, null, null],
    ],
    ['openai-completions', { error: { message: 'no' } }, null],
    ['anthropic-messages', 'text', null],
  ])('%s', (apiType, answer, expected) => {
    expect(parts(usageOfAnswer(apiType, answer))).toEqual(expected);
  });
  it('takes the price that the provider tells', () => {
    expect(usageOfAnswer('openai-completions', { usage: { prompt_tokens: 1, cost: 0.0123 } })?.costUSD).toBe(0.0123);
    expect(usageOfAnswer('openai-completions', { usage: { prompt_tokens: 1, cost: -1 } })?.costUSD).toBeNull();
  });
});

const sse = (...events: unknown[]): string => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const STREAMS: readonly (readonly [ApiType, string, unknown])[] = [
  [
    'openai-completions',
    `: keep-alive\n\n${sse(
      { id: 'c1', model: 'm', choices: [{ delta: { content: 'ä' } }], usage: null },
      { id: 'c1', model: 'm', choices: [], usage: { prompt_tokens: 9, completion_tokens: 4 } },
    )}data: [DONE]\n\n`,
    [9, 4, 0, 0, 0, 'm', 'c1'],
  ],
  [
    'openai-responses',
    `event: response.created\n${sse({ type: 'response.created', response: { id: 'r1', usage: null } })}event: response.completed\n${sse(
      { type: 'response.completed', response: { id: 'r1', model: 'm', usage: { input_tokens: 9, output_tokens: 4 } } },
    )}`,
    [9, 4, 0, 0, 0, 'm', 'r1'],
  ],
  [
    'anthropic-messages',
    sse(
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          model: 'm',
          usage: { input_tokens: 9, cache_read_input_tokens: 5, cache_creation_input_tokens: null, output_tokens: 1 },
        },
      },
      { type: 'content_block_delta', delta: { text: 'x' } },
      { type: 'message_delta', delta: {}, usage: { output_tokens: 30 } },
      { type: 'message_delta', delta: {}, usage: { output_tokens: 44, cache_read_input_tokens: null } },
      { type: 'message_stop' },
    ),
    [9, 44, 5, 0, 0, 'm', 'msg_1'],
  ],
  [
    'google-generative-ai',
    sse(
      { modelVersion: 'm', candidates: [], usageMetadata: { promptTokenCount: 9 } },
      { modelVersion: 'm', usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4, thoughtsTokenCount: 2 } },
    ).replaceAll('\n', '\r\n'),
    [9, 4, 0, 0, 2, 'm', null],
  ],
];

describe('createStreamUsage', () => {
  it.each(STREAMS)('%s: the same usage wherever the text is cut', (apiType, text, expected) => {
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 30 }), (cuts) => {
        const places = [0, ...cuts, text.length].toSorted((a, b) => a - b);
        const reader = createStreamUsage(apiType);
        for (const [index, place] of places.entries()) reader.push(text.slice(place, places[index + 1] ?? place));
        expect(parts(reader.found)).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
  it('keeps what a stream told before it broke off', () => {
    const reader = createStreamUsage('anthropic-messages');
    reader.push(STREAMS[2]![1].slice(0, 260));
    expect(parts(reader.found)).toEqual([9, 1, 5, 0, 0, 'm', 'msg_1']);
  });
  it('is silent about streams without usage, and about rubbish', () => {
    const reader = createStreamUsage('openai-completions');
    reader.push('data: {"choices":[{"delta":{"content":"abc"}}]}\n\ndata: nonsense\n\nid: 5\n\n');
    expect(reader.found).toBeNull();
    expect(reader.answerCharacters).toBeGreaterThan(3);
    fc.assert(
      fc.property(fc.string(), (text) => {
        reader.push(text);
      }),
    );
  });
});
