import { isObject, setOwn } from '../text/json.ts';
import { createMemo } from '../text/memo.ts';
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
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    setOwn(clean, name, rules(name, () => ruleOf(name))(text));
  }
  return clean;
}

/** What becomes of a header's value. */
type Rule = (value: string) => string;

/** A browser sends the same thirty names again and again, and the patterns above cost more than all else in a row. */
const rules = createMemo<Rule>({ keys: 1000, keyLength: 64 });

function ruleOf(name: string): Rule {
  if (HARMLESS_HEADER.test(name) || !SECRET_HEADER.test(name)) return (value) => value;
  if (/^cookie$/i.test(name)) return (value) => value.replace(/=[^;]*/g, `=${REDACTED}`);
  if (/^set-cookie2?$/i.test(name)) return (value) => value.replace(/=[^;]*/, `=${REDACTED}`);
  return /authorization$/i.test(name) ? keepScheme : () => REDACTED;
}

function keepScheme(value: string): string {
  const scheme = /^([A-Za-z][\w-]*)\s+\S/.exec(value)?.[1];
  return scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`;
}

/** Replaces known secrets in text. Build a new one when a secret is added. */
export type Redactor = (text: string) => string;

/** A redactor of these values in every spelling that `secret-pattern.ts` knows. */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const pattern = secretPattern(secrets);
  return pattern === null ? (text) => text : (text) => text.replace(pattern, REDACTED);
}
