import type { TokenUsage } from '../../benchmark/usage/normalize.ts';

/** One turn of a conversation with a judge model. */
export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** PNG or JPEG bytes, shown after the text. */
  readonly images?: readonly Uint8Array[] | undefined;
}

/** What is asked of a judge model: the last turn is the user's. */
export interface ChatRequest {
  readonly system: string;
  readonly messages: readonly ChatMessage[];
  readonly maxTokens: number;
  /** Sent where upstream sends it; undefined: the API type's own habit (0 for chat completions, else none). */
  readonly temperature?: number | undefined;
  /** Ask for a reply of this shape by the provider's own means; without it the prompt alone asks. */
  readonly schema?: ReplySchema | undefined;
}

/** A JSON Schema of an object, with a name for the providers that want one. */
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

/** Asks one request. @throws ProviderError */
export type SendChat = (request: ChatRequest) => Promise<ChatReply>;

/** A conversation that begins. */
export function userMessage(text: string): readonly ChatMessage[] {
  return [{ role: 'user', text }];
}
