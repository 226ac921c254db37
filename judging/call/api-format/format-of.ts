import type { ApiType, ModelEntry } from '../../../benchmark/models/models-file.ts';
import type { ApiFormat } from './api-format.ts';
import { completions } from './completions.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';

/** Gemini offers the chat completions API below a path of its own. */
const FORMATS: Readonly<Record<ApiType, ApiFormat>> = {
  'openai-completions': completions,
  'google-generative-ai': completions,
  'openai-responses': responses,
  'anthropic-messages': messages,
};

export function apiFormatOf(model: ModelEntry): ApiFormat {
  return FORMATS[model.apiType];
}
