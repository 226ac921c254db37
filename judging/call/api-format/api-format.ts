import type { ModelEntry } from '../../../benchmark/models/models-file.ts';
import type { ChatRequest } from '../chat-types.ts';

/** The form of a request: some models reject with HTTP 400 what others require. */
export interface RequestShape {
  /** `max_completion_tokens` and no temperature, as newer models of the chat API require. */
  readonly modern: boolean;
  /** The reply's JSON Schema is sent along. */
  readonly structured: boolean;
  /** `stream: false` is said, for a server that streams otherwise. */
  readonly unstreamed: boolean;
}

/** What an answer says, whatever its API type calls it. */
export interface FormatReply {
  /** Text that the model addresses to its caller; reasoning is never part of it. */
  readonly text: string;
  /** `Cut`: the token limit was reached. `Declined`: the model or a filter in front of it refused to answer. */
  readonly ending: 'Whole' | 'Cut' | 'Declined';
}

/** The format of one API type: pure functions from a request to its HTTP form, and from the response's JSON to its text. */
export interface ApiFormat {
  readonly url: (model: ModelEntry) => string;
  readonly headers: (model: ModelEntry, key: string) => Readonly<Record<string, string>>;
  readonly body: (model: ModelEntry, request: ChatRequest, shape: RequestShape) => Readonly<Record<string, unknown>>;
  /** The reply, read from the JSON of a successful call. */
  readonly reply: (answer: unknown) => FormatReply;
}
