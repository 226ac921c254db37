import type { ApiType, ModelEntry } from '../../../benchmark/models/models-file.ts';
import type { Wire } from './api-format.ts';
import { completions } from './completions.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';

/** Gemini speaks the chat protocol below a path of its own. */
const WIRES: Readonly<Record<ApiType, Wire>> = {
  'openai-completions': completions,
  'google-generative-ai': completions,
  'openai-responses': responses,
  'anthropic-messages': messages,
};

export function wireOf(model: ModelEntry): Wire {
  return WIRES[model.apiType];
}
