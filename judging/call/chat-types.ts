import type { TokenUsage } from '../../benchmark/usage/normalize.ts';

/** One message of a conversation with a model. */
export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** PNG or JPEG bytes, shown after the text. */
  readonly images?: readonly Uint8Array[] | undefined;
}

/** A request to a model; the last message is the user's. */
export interface ChatRequest {
  readonly system: string;
  readonly messages: readonly ChatMessage[];
  readonly maxTokens: number;
  /** Sent where upstream sends it; undefined: the default of the API type (0 for chat completions, otherwise none). */
  readonly temperature?: number | undefined;
  /** Request a reply of this shape with the provider's structured output; undefined: the prompt alone asks for it. */
  readonly schema?: ReplySchema | undefined;
}

/** A JSON Schema of an object, with a name for providers that require one. */
export interface ReplySchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ChatReply {
  /** Without reasoning that the API keeps apart; empty when the model said nothing. */
  readonly text: string;
  /** Why the text is not all that was asked for, such as `cut at 800 tokens`; absent: it is whole. */
  readonly shortfall?: string;
  readonly usage: TokenUsage;
}

/** Sends one request and returns the reply. @throws ProviderError */
export type SendChat = (request: ChatRequest) => Promise<ChatReply>;

/** The messages of a new conversation. */
export function userMessage(text: string): readonly ChatMessage[] {
  return [{ role: 'user', text }];
}
