import { isObject } from '../../../benchmark/text/json.ts';
import type { ModelEntry } from '../../../benchmark/models/models-file.ts';
import type { ChatRequest, ChatMessage } from '../chat-types.ts';
import { dataUrl } from './image.ts';
import type { ApiFormat, FormatReply } from './api-format.ts';

/** OpenAI's chat completions API, which most providers and gateways support. */
export const completions: ApiFormat = {
  url: (model) => `${base(model)}/chat/completions`,
  headers: (_model, key) => ({ authorization: `Bearer ${key}` }),
  body: (model, request, shape) => ({
    model: model.name,
    messages: [{ role: 'system', content: request.system }, ...request.messages.map(message)],
    [shape.modern ? 'max_completion_tokens' : 'max_tokens']: request.maxTokens,
    ...(shape.modern ? {} : { temperature: request.temperature ?? 0 }),
    ...(shape.unstreamed ? { stream: false } : {}),
    ...(shape.structured ? responseFormat(request) : {}),
  }),
  reply: (answer) => {
    const choices = isObject(answer) && Array.isArray(answer['choices']) ? (answer['choices'] as unknown[]) : [];
    const choice = isObject(choices[0]) ? choices[0] : {};
    const said = isObject(choice['message']) ? choice['message'] : {};
    return { text: textOf(said), ending: endingOf(choice, said) };
  },
};

/** Text, or the text parts of a list (Mistral puts its thinking there), or the arguments of a tool that was asked for. */
function textOf(said: Record<string, unknown>): string {
  const { content, tool_calls: calls } = said;
  const text = Array.isArray(content) ? (content as unknown[]).map(partText).join('') : content;
  if (typeof text === 'string' && text !== '') return text;
  return (Array.isArray(calls) ? (calls as unknown[]) : []).map(toolArguments).join('');
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  const isText = isObject(part) && (part['type'] === 'text' || part['type'] === 'output_text');
  return isText && typeof part['text'] === 'string' ? part['text'] : '';
}

function toolArguments(call: unknown): string {
  const called = isObject(call) && isObject(call['function']) ? call['function']['arguments'] : '';
  return typeof called === 'string' ? called : '';
}

function endingOf(choice: Record<string, unknown>, said: Record<string, unknown>): FormatReply['ending'] {
  const reason = choice['finish_reason'];
  if (reason === 'length') return 'Cut';
  const refusal = said['refusal'];
  return reason === 'content_filter' || (typeof refusal === 'string' && refusal !== '') ? 'Declined' : 'Whole';
}

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
