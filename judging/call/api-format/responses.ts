import { isObject } from '../../../benchmark/text/json.ts';
import type { Question, Turn } from '../chat-types.ts';
import { dataUrl } from './image.ts';
import type { Wire } from './api-format.ts';

/** OpenAI's Responses API. It is never sent a temperature: its reasoning models refuse one. */
export const responses: Wire = {
  url: (model) => `${model.baseUrl}/responses`,
  headers: (_model, key) => ({ authorization: `Bearer ${key}` }),
  body: (model, question, shape) => ({
    model: model.name,
    instructions: question.system,
    input: input(question.turns),
    max_output_tokens: question.maxTokens,
    ...(shape.structured ? textFormat(question) : {}),
  }),
  text: (answer) => {
    if (!isObject(answer)) return null;
    if (typeof answer['output_text'] === 'string') return answer['output_text'];
    if (!Array.isArray(answer['output'])) return null;
    const parts = (answer['output'] as unknown[]).flatMap(contentOf).filter(isText);
    return parts.map((part) => part.text).join('');
  },
};

/** One question is sent as plain text, as upstream sends it; a conversation as items. */
function input(turns: readonly Turn[]): unknown {
  const [only] = turns;
  if (turns.length === 1 && only !== undefined && (only.images ?? []).length === 0) return only.text;
  return turns.map(({ from, text, images = [] }) => ({
    role: from === 'User' ? 'user' : 'assistant',
    content: [
      { type: from === 'User' ? 'input_text' : 'output_text', text },
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

function textFormat({ schema }: Question): Record<string, unknown> {
  if (schema === undefined) return {};
  return { text: { format: { type: 'json_schema', name: schema.name, strict: true, schema: schema.schema } } };
}
