import { isObject } from '../../../benchmark/text/json.ts';
import type { ChatRequest, ChatMessage } from '../chat-types.ts';
import { dataUrl } from './image.ts';
import type { ApiFormat } from './api-format.ts';

/** OpenAI's Responses API. A temperature is never sent: its reasoning models reject one. */
export const responses: ApiFormat = {
  url: (model) => `${model.baseUrl}/responses`,
  headers: (_model, key) => ({ authorization: `Bearer ${key}` }),
  body: (model, request, shape) => ({
    model: model.name,
    instructions: request.system,
    input: input(request.messages),
    max_output_tokens: request.maxTokens,
    ...(shape.structured ? textFormat(request) : {}),
  }),
  text: (answer) => {
    if (!isObject(answer)) return null;
    if (typeof answer['output_text'] === 'string') return answer['output_text'];
    if (!Array.isArray(answer['output'])) return null;
    const parts = (answer['output'] as unknown[]).flatMap(contentOf).filter(isText);
    return parts.map((part) => part.text).join('');
  },
};

/** A single message is sent as plain text, as upstream does; a conversation as items. */
function input(messages: readonly ChatMessage[]): unknown {
  const [only] = messages;
  if (messages.length === 1 && only !== undefined && (only.images ?? []).length === 0) return only.text;
  return messages.map(({ role, text, images = [] }) => ({
    role,
    content: [
      { type: role === 'user' ? 'input_text' : 'output_text', text },
      ...images.map((bytes) => ({ type: 'input_image', image_url: dataUrl(bytes) })),
    ],
  }));
}

function contentOf(item: unknown): unknown[] {
  return isObject(item) && Array.isArray(item['content']) ? (item['content'] as unknown[]) : [];
}

function isText(part: unknown): part is { text: string } {
  return isObject(part) && ['output_text', 'text'].includes(String(part['type'])) && typeof part['text'] === 'string';
}

function textFormat({ schema }: ChatRequest): Record<string, unknown> {
  if (schema === undefined) return {};
  return { text: { format: { type: 'json_schema', name: schema.name, strict: true, schema: schema.schema } } };
}
