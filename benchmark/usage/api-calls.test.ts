import { expect, it } from 'vitest';
import { apiCalls } from './api-calls.ts';

const assistant = (more: object, row: object = {}): object => ({
  type: 'message',
  ...row,
  message: { role: 'assistant', provider: 'p', model: 'm', usage: {}, content: 'x', ...more },
});

it.each([
  ['nothing', [], 0, 0],
  ['what usage rows count, when that is more', [{ model_output: {} }], 3, 3],
  [
    'what the session counted, the last time it did',
    [
      { type: 'session_meta', api_call_count: 7 },
      { type: 'session_meta', api_call_count: 3 },
    ],
    0,
    3,
  ],
  ['a count that is no integer is none', [{ type: 'session_meta', api_call_count: '7' }, { model_output: {} }], 0, 1],
  ['a count of 0 holds', [{ type: 'session_meta', api_call_count: 0 }, { model_output: {} }], 0, 0],
  ['another row with a count is none', [{ type: 'other', api_call_count: 9 }], 0, 0],
  ['steps with a model output', [{ model_output: {} }, { model_output: null }, { model_output: 'x' }, 'x', null], 0, 1],
  [
    'assistant messages before steps',
    [assistant({ responseId: 'a' }), { model_output: {} }, { model_output: {} }],
    0,
    1,
  ],
  [
    'a response once, however often it is told',
    [assistant({ responseId: 'a' }), assistant({ responseId: 'a', timestamp: 2 })],
    0,
    1,
  ],
  ['two responses', [assistant({ responseId: 'a' }), assistant({ responseId: 'b' })], 0, 2],
  ['one response id of two models', [assistant({ responseId: 'a' }), assistant({ responseId: 'a', model: 'n' })], 0, 2],
  [
    'without a response id, moment and row',
    [
      assistant({ timestamp: 1 }, { id: 'r' }),
      assistant({ timestamp: 1 }, { id: 'r' }),
      assistant({ timestamp: 1 }, { id: 's' }),
    ],
    0,
    2,
  ],
  ['a user’s message is no call', [assistant({ role: 'user' })], 0, 0],
  ['a message that no provider is named for is no call', [{ message: { role: 'assistant', content: 'x' } }], 0, 0],
  ['a call that began and has no end', [assistant({ content: [], timestamp: 1 }, { type: 'message_start' })], 0, 1],
  [
    'a call that began and ended, once',
    [assistant({ content: '', timestamp: 1 }, { type: 'message_start' }), assistant({ timestamp: 1 })],
    0,
    1,
  ],
  [
    'a beginning with content is an answer',
    [assistant({ content: 'x', timestamp: 1 }, { type: 'message_start' })],
    0,
    1,
  ],
  [
    'a beginning without content, twice',
    [
      assistant({ content: null, timestamp: 1 }, { type: 'message_start' }),
      assistant({ content: null, timestamp: 1 }, { type: 'message_start' }),
    ],
    0,
    1,
  ],
] as const)('%s', (_sentence, rows, usage, calls) => {
  expect(apiCalls(rows, usage)).toBe(calls);
});
