import { isObject } from '../text/json.ts';

/**
 * The number of model calls in a transcript: the session's own count, else distinct assistant messages, else steps with a
 * model output.
 * @param rows rows of `agent-messages.jsonl`; rows that are not objects are skipped.
 * @param usageCalls calls counted from `usage.jsonl`; the larger number is used.
 */
export function apiCalls(rows: readonly unknown[], usageCalls = 0): number {
  const objects = rows.filter(isObject);
  return Math.max(sessionCount(objects) ?? transcriptCount(objects), usageCalls);
}

type Row = Record<string, unknown>;

function sessionCount(rows: readonly Row[]): number | null {
  const counts = rows.filter((row) => row['type'] === 'session_meta').map((row) => row['api_call_count']);
  const last = counts.filter((count): count is number => Number.isInteger(count)).at(-1);
  return last ?? null;
}

function transcriptCount(rows: readonly Row[]): number {
  const assistants = assistantCalls(rows);
  return assistants > 0 ? assistants : rows.filter((row) => isObject(row['model_output'])).length;
}

function assistantCalls(rows: readonly Row[]): number {
  const calls = new Set<string>();
  const answered = new Set<string>();
  const started = new Set<string>();
  for (const row of rows) {
    const message = row['message'];
    if (!isObject(message) || !isModelMessage(message)) continue;
    const moment = join(message, [message['timestamp']]);
    if (row['type'] === 'message_start' && !hasContent(message)) {
      started.add(moment);
    } else {
      answered.add(moment);
      calls.add(
        message['responseId']
          ? join(message, [message['responseId']])
          : join(message, [message['timestamp'], row['id']]),
      );
    }
  }
  return calls.size + [...started].filter((moment) => !answered.has(moment)).length;
}

function isModelMessage(message: Row): boolean {
  return message['role'] === 'assistant' && ['api', 'provider', 'usage'].some((key) => Object.hasOwn(message, key));
}

function hasContent(message: Row): boolean {
  const content = message['content'];
  return Array.isArray(content) || typeof content === 'string' ? content.length > 0 : content != null;
}

function join(message: Row, rest: readonly unknown[]): string {
  return JSON.stringify([message['provider'] ?? null, message['model'] ?? null, ...rest.map((part) => part ?? null)]);
}
