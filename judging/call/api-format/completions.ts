import { isObject } from '../../../benchmark/text/json.ts';
import type { ModelEntry } from '../../../benchmark/models/models-file.ts';
import type { ChatRequest, ChatMessage } from '../chat-types.ts';
import { dataUrl } from './image.ts';
import type { ApiFormat } from './api-format.ts';

/** OpenAI's chat completions API, which most providers and gateways support. */
export const completions: ApiFormat = {
  url: (model) => `${base(model)}/chat/completions`,
  headers: (_model, key) => ({ authorization: `Bearer ${key}` }),
  body: (model, request, shape) => ({
    model: model.name,
    messages: [{ role: 'system', content: request.system }, ...request.messages.map(message)],
    [shape.modern ? 'max_completion_tokens' : 'max_tokens']: request.maxTokens,
    ...(shape.modern ? {} : { temperature: request.temperature ?? 0 }),
    ...(shape.structured ? responseFormat(request) : {}),
  }),
  text: (answer) => {
    if (!isObject(answer) || !Array.isArray(answer['choices'])) return null;
    const [choice] = answer['choices'] as unknown[];
    const said = isObject(choice) && isObject(choice['message']) ? choice['message']['content'] : '';
    return typeof said === 'string' ? said : '';
  },
};

function base({ apiType, baseUrl }: ModelEntry): string {
  const needsPath = apiType === 'google-generative-ai' && !baseUrl.includes('/openai');
  return needsPath ? `${baseUrl}/v1beta/openai` : baseUrl;
}

function message({ role, text, images = [] }: ChatMessage): Record<string, unknown> {
  if (images.length === 0) return { role, content: text };
  const pictures = images.map((bytes) => ({ type: 'image_url', image_url: { url: dataUrl(bytes) } }));
  return { role, content: [{ type: 'text', text }, ...pictures] };
}

function responseFormat({ schema }: ChatRequest): Record<string, unknown> {
  if (schema === undefined) return {};
  return {
    response_format: { type: 'json_schema', json_schema: { name: schema.name, strict: true, schema: schema.schema } },
  };
}
