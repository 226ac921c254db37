import { isObject } from '../../../benchmark/text/json.ts';
import type { ChatRequest, ChatMessage } from '../chat-types.ts';
import { base64, imageType } from './image.ts';
import type { ApiFormat } from './api-format.ts';

/**
 * Anthropic's Messages API. All text blocks of the reply are joined, whatever is between them: in some models'
 * replies a thinking block comes first (J7). A schema is sent as the one tool that the model must call.
 */
export const messages: ApiFormat = {
  url: (model) => `${model.baseUrl}/v1/messages`,
  headers: (model, key) => ({ 'x-api-key': key, 'anthropic-version': model.anthropicVersion ?? '2023-06-01' }),
  body: (model, request, shape) => ({
    model: model.name,
    max_tokens: request.maxTokens,
    ...(request.temperature === undefined || shape.modern ? {} : { temperature: request.temperature }),
    system: request.system,
    messages: request.messages.map(message),
    ...(shape.unstreamed ? { stream: false } : {}),
    ...(shape.structured ? forcedTool(request) : {}),
  }),
  reply: (answer) => {
    const { content, stop_reason: reason } = isObject(answer) ? answer : {};
    const text = (Array.isArray(content) ? (content as unknown[]) : []).map(blockText).join('');
    return { text, ending: reason === 'max_tokens' ? 'Cut' : reason === 'refusal' ? 'Declined' : 'Whole' };
  },
};

function message({ role, text, images = [] }: ChatMessage): Record<string, unknown> {
  if (images.length === 0) return { role, content: text };
  const pictures = images.map((bytes) => ({
    type: 'image',
    source: { type: 'base64', media_type: imageType(bytes), data: base64(bytes) },
  }));
  return { role, content: [{ type: 'text', text }, ...pictures] };
}

function blockText(block: unknown): string {
  if (!isObject(block)) return '';
  if (block['type'] === 'tool_use') return JSON.stringify(block['input']);
  return block['type'] === 'text' && typeof block['text'] === 'string' ? block['text'] : '';
}

function forcedTool({ schema }: ChatRequest): Record<string, unknown> {
  if (schema === undefined) return {};
  const tool = { name: schema.name, description: 'Hands in the reply.', input_schema: schema.schema };
  return { tools: [tool], tool_choice: { type: 'tool', name: schema.name } };
}
