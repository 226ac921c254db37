import type { TokenUsage } from '../../benchmark/usage/normalize.ts';

/** One turn of a conversation with a judge model. */
export interface Turn {
  readonly from: 'User' | 'Judge';
  readonly text: string;
  /** PNG or JPEG bytes, shown after the text. */
  readonly images?: readonly Uint8Array[] | undefined;
}

/** What is asked of a judge model: the last turn is the user's. */
export interface Question {
  readonly system: string;
  readonly turns: readonly Turn[];
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

export interface Reply {
  /** Empty when the model said nothing. */
  readonly text: string;
  readonly usage: TokenUsage;
}

/** Asks one question. @throws ProviderError */
export type Ask = (question: Question) => Promise<Reply>;

/** A conversation that begins. */
export function userTurn(text: string): readonly Turn[] {
  return [{ from: 'User', text }];
}
