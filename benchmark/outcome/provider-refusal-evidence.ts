import { isObject } from '../text/json.ts';

/**
 * Evidence that the model's provider refused to serve the agent: such a run does not measure the agent. The search is
 * upstream's, including its false positives ("forbidden" in a log line), because the category in a bundle must be the one that
 * upstream's own tool would write.
 */
const PHRASES = [
  'insufficient credit',
  'insufficient balance',
  'out of credits',
  'credit balance',
  'quota exceeded',
  'rate limit',
  'ratelimit',
  'too many requests',
  'payment required',
  'billing error',
  'billing issue',
  'invalid api key',
  'api key is invalid',
  'unauthorized',
  'forbidden',
  'authentication failed',
  'authentication error',
  'api call failed',
  'provider returned error',
];
const CODES = ['401', '402', '403', '429'];
const NEEDLES = [...PHRASES, ...CODES.flatMap((code) => [`status code ${code}`, `http ${code}`, ` ${code} `])];

/** Whether a text contains such evidence. */
function hasApiEvidence(text: string): boolean {
  const padded = ` ${text.toLowerCase()} `;
  return NEEDLES.some((needle) => padded.includes(needle));
}

/**
 * The first evidence: in errors of assistant messages (500 characters), then in log lines (`<file>: <450 characters>`).
 * @param messages rows of `agent-messages.jsonl`.
 * @param logs text by file name.
 */
export function apiOrCreditEvidence(messages: readonly unknown[], logs: ReadonlyMap<string, string>): string | null {
  for (const row of messages) {
    const found = errorTexts(row).find(hasApiEvidence);
    if (found !== undefined) return found.slice(0, 500);
  }
  return logEvidence(logs);
}

function logEvidence(logs: ReadonlyMap<string, string>): string | null {
  for (const name of [...logs.keys()].sort()) {
    // Lines keep their newline: like upstream's, this search then misses a bare status code at the end of a line.
    const lines = (logs.get(name) ?? '').split(/(?<=\n)/);
    const found = lines.find(hasApiEvidence);
    if (found !== undefined) return `${name}: ${found.trim().slice(0, 450)}`;
  }
  return null;
}

function errorTexts(row: unknown): string[] {
  const message = isObject(row) ? row['message'] : null;
  if (!isObject(message) || message['role'] !== 'assistant') return [];
  return [message['errorMessage'], message['error']].filter((value) => value != null && value !== '').map(asText);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
