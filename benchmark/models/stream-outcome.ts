import { isObject } from '../text/json.ts';
import type { ApiType } from './models-file.ts';
import { providerError, type ProviderErrorBody } from './provider-error.ts';

/** The state of a stream of server-sent events so far. */
export interface StreamSoFar {
  /** The first error in an event. */
  readonly error: ProviderErrorBody | null;
  /** The final event of the API type was received: the answer is complete. */
  readonly finished: boolean;
  /** An event with content was received: from now on a retry would be visible to the client. */
  readonly begun: boolean;
}

/** Whether a text begins like server-sent events. Some servers stream unasked, or send events under another content type. */
export function looksLikeEventStream(text: string): boolean {
  return /^\s*(?:event|data|id|retry)?:/.test(text);
}

/** Follows the events of one stream. */
export interface StreamOutcome {
  /**
   * @param data the event's data, as the server sent it.
   * @param name the event's `event:` field, if it has one.
   */
  push(data: string, name?: string): void;
  readonly soFar: StreamSoFar;
}

/** @param status HTTP status of the response, nearly always 200. */
export function createStreamOutcome(apiType: ApiType, status: number): StreamOutcome {
  let [error, finished, begun] = [null as ProviderErrorBody | null, false, false];
  return {
    push: (data, name) => {
      const value = parsed(data);
      error ??= providerError(value, status) ?? (name === 'error' ? UNREADABLE : null);
      if (error !== null) return;
      const event = isObject(value) ? value : {};
      finished ||= isDone(data) ? begun : IS_FINAL[apiType](event);
      begun ||= finished || HAS_CONTENT[apiType](event);
    },
    get soFar() {
      return { error, finished, begun };
    },
  };
}

const UNREADABLE: ProviderErrorBody = { kind: 'Server', code: 'error', message: '' };

/** The end marker of the chat API. Some servers send it without a finish reason; alone it ends an empty answer. */
function isDone(data: string): boolean {
  return data.trim() === '[DONE]';
}

type Event = Record<string, unknown>;

const IS_FINAL: Readonly<Record<ApiType, (event: Event) => boolean>> = {
  'openai-completions': ({ choices }) => objects(choices).some((choice) => isFilled(choice['finish_reason'])),
  'openai-responses': ({ type }) => type === 'response.completed' || type === 'response.incomplete',
  // Some proxies leave out `message_stop`; the reason to stop is in the event before it.
  'anthropic-messages': ({ type, delta }) =>
    type === 'message_stop' || (type === 'message_delta' && isObject(delta) && isFilled(delta['stop_reason'])),
  'google-generative-ai': ({ candidates, promptFeedback }) =>
    objects(candidates).some((candidate) => isFilled(candidate['finishReason'])) ||
    (isObject(promptFeedback) && isFilled(promptFeedback['blockReason'])),
};

const HAS_CONTENT: Readonly<Record<ApiType, (event: Event) => boolean>> = {
  'openai-completions': ({ choices }) => objects(choices).length > 0,
  'openai-responses': ({ type }) =>
    typeof type === 'string' && /^response\.(output|content|reasoning|refusal|function|\w+_call)/.test(type),
  'anthropic-messages': ({ type }) => typeof type === 'string' && type.startsWith('content_block'),
  'google-generative-ai': ({ candidates }) => objects(candidates).length > 0,
};

function objects(value: unknown): readonly Event[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return null;
  }
}
