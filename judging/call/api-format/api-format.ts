import type { ModelEntry } from '../../../benchmark/models/models-file.ts';
import type { ChatRequest } from '../chat-types.ts';

/** How a request is spelt: some models refuse what others need, and say so with HTTP 400. */
export interface RequestShape {
  /** `max_completion_tokens` and no temperature, as newer models of the chat API want it. */
  readonly modern: boolean;
  /** The reply's schema is sent along. */
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

/** One API type: pure functions from a question to a request, and from the answer's JSON to its text. */
export interface ApiFormat {
  readonly url: (model: ModelEntry) => string;
  readonly headers: (model: ModelEntry, key: string) => Readonly<Record<string, string>>;
  readonly body: (model: ModelEntry, request: ChatRequest, shape: RequestShape) => Readonly<Record<string, unknown>>;
  /** The reply, read from the JSON of a successful call. */
  readonly reply: (answer: unknown) => FormatReply;
}
