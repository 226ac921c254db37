import { createHmac } from 'node:crypto';
import { isObject } from '../text/json.ts';
import { pythonDump } from '../text/python-text.ts';

/**
 * Signature over a submitted request, for an EdgeBench judge that shares a secret with the recorder: HMAC-SHA256
 * over the request as JSON with sorted keys, no spaces and escaped non-ASCII. Hex.
 */
export function evidenceSignature(secret: string, request: unknown): string {
  return createHmac('sha256', secret).update(canonicalJson(request)).digest('hex');
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return pythonDump(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${pythonDump(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(',')}}`;
}
