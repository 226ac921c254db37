import type { ModelEntry } from '../../../benchmark/models/models-file.ts';
import type { ChatRequest } from '../chat-types.ts';

/** How a request is spelt: some models refuse what others need, and say so with HTTP 400. */
export interface RequestShape {
  /** `max_completion_tokens` and no temperature, as newer models of the chat API want it. */
  readonly modern: boolean;
  /** The reply's schema is sent along. */
  readonly structured: boolean;
}

/** One API type: pure functions from a question to a request, and from the answer's JSON to its text. */
export interface ApiFormat {
  readonly url: (model: ModelEntry) => string;
  readonly headers: (model: ModelEntry, key: string) => Readonly<Record<string, string>>;
  readonly body: (model: ModelEntry, request: ChatRequest, shape: RequestShape) => Readonly<Record<string, unknown>>;
  /** The reply's text, or null when the JSON is not of this API type. */
  readonly text: (answer: unknown) => string | null;
}
