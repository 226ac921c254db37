import { isObject } from './json.ts';
import { secretPattern } from './secret-pattern.ts';

/**
 * What must not leave the pod: credentials in headers, and values that we know to be secret (keys, mailbox password)
 * wherever they turn up and however they are spelled. Upstream uploads both as they are.
 */

const REDACTED = '[REDACTED]';

const SECRET_HEADER =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie2?|.*(?:api-?key|token|secret|password|passwd|session-?id|signature|credential).*|x-auth.*)$/i;
/** Says where a token is, not what it is. */
const HARMLESS_HEADER = /^(?:access-control-.*|sec-.*)$/i;

/** Headers with credentials replaced: the scheme of `Authorization` and the names of cookies stay. Hostile shapes become strings. */
export function redactHeaders(headers: unknown): Record<string, string> {
  const clean: Record<string, string> = {};
  if (!isObject(headers)) return clean;
  for (const [name, value] of Object.entries(headers)) {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    Object.defineProperty(clean, name, {
      value: redactHeader(name, text),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return clean;
}

function redactHeader(name: string, value: string): string {
  if (HARMLESS_HEADER.test(name) || !SECRET_HEADER.test(name)) return value;
  if (/^cookie$/i.test(name)) return value.replace(/=[^;]*/g, `=${REDACTED}`);
  if (/^set-cookie2?$/i.test(name)) return value.replace(/=[^;]*/, `=${REDACTED}`);
  const scheme = /authorization$/i.test(name) ? /^([A-Za-z][\w-]*)\s+\S/.exec(value)?.[1] : undefined;
  return scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`;
}

/** Replaces known secrets in text. Build a new one when a secret is added. */
export type Redactor = (text: string) => string;

/** A redactor of these values in every spelling that `secret-pattern.ts` knows. */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const pattern = secretPattern(secrets);
  return pattern === null ? (text) => text : (text) => text.replace(pattern, REDACTED);
}
