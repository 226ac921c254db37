import type { ModelEntry } from '../../../benchmark/models/models-file.ts';
import type { ChatRequest } from '../chat-types.ts';

/** The form of a request: some models reject with HTTP 400 what others require. */
export interface RequestShape {
  /** `max_completion_tokens` and no temperature, as newer models of the chat API require. */
  readonly modern: boolean;
  /** The reply's JSON Schema is sent along. */
  readonly structured: boolean;
}

/** The format of one API type: pure functions from a request to its HTTP form, and from the response's JSON to its text. */
export interface ApiFormat {
  readonly url: (model: ModelEntry) => string;
  readonly headers: (model: ModelEntry, key: string) => Readonly<Record<string, string>>;
  readonly body: (model: ModelEntry, request: ChatRequest, shape: RequestShape) => Readonly<Record<string, unknown>>;
  /** The reply's text, or null when the JSON is not a response of this API type. */
  readonly text: (answer: unknown) => string | null;
}
