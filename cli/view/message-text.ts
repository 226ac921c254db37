import { isObject } from '../../benchmark/text/json.ts';
import { textAt, valueAt, type JsonRecord } from './fields.ts';

/**
 * The readable part of a row of `agent-messages.jsonl`: the text of its content and the tools that it calls. Empty for
 * rows of an unknown form, which are shown as JSON.
 */
export function messageText(row: JsonRecord): string {
  const content = valueAt(row, 'message', 'content') ?? valueAt(row, 'content') ?? valueAt(row, 'text');
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map(partText)
    .filter((text) => text !== '')
    .join('\n');
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  if (!isObject(part)) return '';
  const text = textAt(part, 'text') || textAt(part, 'thinking') || textAt(part, 'content');
  const tool = textAt(part, 'name');
  return tool === '' ? text : `[${tool}] ${text}`.trim();
}
