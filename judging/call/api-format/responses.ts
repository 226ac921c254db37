import { isObject } from '../../../benchmark/text/json.ts';
import type { ChatRequest, ChatMessage } from '../chat-types.ts';
import { dataUrl } from './image.ts';
import type { ApiFormat, FormatReply } from './api-format.ts';

/** OpenAI's Responses API. A temperature is never sent: its reasoning models reject one. */
export const responses: ApiFormat = {
  url: (model) => `${model.baseUrl}/responses`,
  headers: (_model, key) => ({ authorization: `Bearer ${key}` }),
  body: (model, request, shape) => ({
    model: model.name,
    instructions: request.system,
    input: input(request.messages),
    max_output_tokens: request.maxTokens,
    ...(shape.unstreamed ? { stream: false } : {}),
    ...(shape.structured ? textFormat(request) : {}),
  }),
  reply: (answer) => {
    const given = isObject(answer) ? answer : {};
    return { text: textOf(given), ending: endingOf(given) };
  },
};

/** Reasoning items have no content that is text; a function call's arguments are the reply that a schema asked for. */
function textOf(answer: Record<string, unknown>): string {
  if (typeof answer['output_text'] === 'string') return answer['output_text'];
  const items = Array.isArray(answer['output']) ? (answer['output'] as unknown[]) : [];
  const text = items
    .filter((item) => !isObject(item) || item['type'] !== 'reasoning')
    .flatMap(contentOf)
    .filter(isText)
    .map((part) => part.text)
    .join('');
  return text !== '' ? text : items.map(callArguments).join('');
}

function callArguments(item: unknown): string {
  const isCall = isObject(item) && item['type'] === 'function_call';
  return isCall && typeof item['arguments'] === 'string' ? item['arguments'] : '';
}

function endingOf(answer: Record<string, unknown>): FormatReply['ending'] {
  const details = isObject(answer['incomplete_details']) ? answer['incomplete_details'] : {};
  if (details['reason'] === 'content_filter') return 'Declined';
  if (answer['status'] === 'incomplete') return 'Cut';
  const items = Array.isArray(answer['output']) ? (answer['output'] as unknown[]) : [];
  const declined = items.flatMap(contentOf).some((part) => isObject(part) && part['type'] === 'refusal');
  return declined ? 'Declined' : 'Whole';
}

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
