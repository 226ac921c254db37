import { createParser } from 'eventsource-parser';
import { isObject } from '../text/json.ts';
import type { ApiType } from '../models/models-file.ts';
import { callUsage, USAGE_FIELD, type CallUsage } from './answer.ts';

/**
 * The usage in a provider's server-sent events, read while the stream is relayed to the agent. Chunks may end anywhere. A stream
 * that ends early keeps the usage reported so far.
 */
export interface StreamUsage {
  push(text: string): void;
  readonly found: CallUsage | null;
  /** Characters of answer text so far: the only measure of a stream that reports no usage. */
  readonly answerCharacters: number;
  /** An event exceeded the parser's limit: later events are not read. */
  readonly unreadable: boolean;
}

type Row = Record<string, unknown>;
/** The provider's usage object so far, and the object with ID and model. */
interface Seen {
  readonly owner: Row;
  readonly usage: Row;
}

/** A longer event contains no usage; the limit bounds the parser's memory. */
const MAX_EVENT = 16 * 1024 * 1024;

/**
 * A reader for one stream of an API type.
 * @param onEvent called with the data and the name of each event, for other readers of the same stream.
 */
export function createStreamUsage(apiType: ApiType, onEvent?: (data: string, name?: string) => void): StreamUsage {
  let seen: Seen | null = null;
  let characters = 0;
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: ({ data, event: name }) => {
      onEvent?.(data, name);
      const event = parsed(data);
      if (event === null) return;
      characters += data.length;
      seen = FOLD[apiType](seen, event);
    },
  });
  let broken = false;
  return {
    push: (text) => {
      try {
        if (!broken) parser.feed(text);
      } catch {
        // The parser's limit was reached: the stream continues, with the usage so far.
        broken = true;
      }
    },
    get found() {
      return seen === null ? null : callUsage(seen.owner, seen.usage);
    },
    get answerCharacters() {
      return characters;
    },
    get unreadable() {
      return broken;
    },
  };
}

type Fold = (seen: Seen | null, event: Row) => Seen | null;

/** The last element with a usage counts: providers repeat a growing total. */
const lastOf =
  (apiType: ApiType): Fold =>
  (seen, event) => {
    const usage = event[USAGE_FIELD[apiType]];
    return isObject(usage) ? { owner: event, usage } : seen;
  };

const FOLD: Readonly<Record<ApiType, Fold>> = {
  'openai-completions': lastOf('openai-completions'),
  'google-generative-ai': lastOf('google-generative-ai'),
  // `response.completed`, `.incomplete` and `.failed` contain the whole answer.
  'openai-responses': (seen, event) => {
    const answer = event['response'];
    return isObject(answer) && isObject(answer['usage']) ? { owner: answer, usage: answer['usage'] } : seen;
  },
  // `message_start` has the input, each `message_delta` the output so far; a later field replaces an earlier one.
  'anthropic-messages': (seen, event) => {
    const message = isObject(event['message']) ? event['message'] : null;
    const usage = message === null ? event['usage'] : message['usage'];
    if (!isObject(usage)) return seen;
    const told = Object.entries(usage).filter(([, value]) => value !== null);
    return { owner: message ?? seen?.owner ?? {}, usage: { ...seen?.usage, ...Object.fromEntries(told) } };
  },
};

function parsed(data: string): Row | null {
  if (data === '[DONE]') return null;
  try {
    const value = JSON.parse(data) as unknown;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
