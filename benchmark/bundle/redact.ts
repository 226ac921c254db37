import { isObject, setOwn } from '../text/json.ts';
import { createMemo } from '../text/memo.ts';
import { secretPattern } from './secret-pattern.ts';

/**
 * Redacts what must not leave the Pod: credentials in headers, and known secrets (API keys, mailbox password) wherever they
 * occur and however they are encoded. Upstream uploads both unredacted.
 */

const REDACTED = '[REDACTED]';

const SECRET_HEADER =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie2?|.*(?:api-?key|token|secret|password|passwd|session-?id|signature|credential).*|x-auth.*)$/i;
/** Headers that match the pattern above but contain no credential. */
const HARMLESS_HEADER = /^(?:access-control-.*|sec-.*)$/i;

/** Headers with credentials replaced; the scheme of `Authorization` and the names of cookies are kept. Values of other types become strings. */
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

/** How a header's value is redacted. */
type Rule = (value: string) => string;

/** A browser sends the same thirty names all the time, and the patterns above cost more than everything else in a row. */
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

/** Replaces known secrets in text. Create a new one when a secret is added. */
export type Redactor = (text: string) => string;

/** A redactor for these values in every encoding that `secret-pattern.ts` covers. */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const pattern = secretPattern(secrets);
  return pattern === null ? (text) => text : (text) => text.replace(pattern, REDACTED);
}
