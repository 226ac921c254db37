import type { BodyStatus } from './body.ts';
import type { BodyForm, InnerFields } from './read-body.ts';
import { repeatedKeys } from './repeated-keys.ts';
import { constFieldsMatch, type ConstFilter } from './const-filter.ts';
import { isObject, type JsonValue } from '../text/json.ts';
import { compilePattern, type UrlPattern } from './url-pattern.ts';
import { queryParams } from './query-params.ts';
import { isTruthy } from '../text/python-equality.ts';
import { urlSpellings, wantedSpellings } from './url-spellings.ts';

/**
 * Stage 1: whether a request is the terminal request of the task. This is the only predicate: the guard uses it while a request
 * is paused, and so do the gateway, offline tools and the task linter. The rules are upstream's, except for what
 * docs/differences.md lists.
 */

/**
 * `unknown`: everything that is known matches, but there is a body filter and the body is missing or incomplete. The request must
 * be blocked like a match and reported with its `body_status`, never counted as a failure of the agent.
 */
type Match = 'match' | 'no-match' | 'unknown';

export interface MatchableHead {
  readonly url: string;
  readonly method: string;
}

/** The parts of a decoded body that the predicate needs (see `decodeBody`). */
interface MatchableBody {
  readonly status: BodyStatus;
  readonly fields: JsonValue;
  readonly form?: BodyForm;
  readonly inner?: readonly InnerFields[];
  readonly text?: string | null;
}

export interface Target {
  /** The unchanged eval schema; `interception.json` contains it. */
  readonly schema: unknown;
  /** Whether there is a pattern: without one, or with an empty one, requests are only logged. */
  readonly armed: boolean;
  /** Whether the decision needs the body. */
  readonly needsBody: boolean;
  /** Whether URL, method and query match. When `needsBody` is false, this is the decision. */
  matchesHead(head: MatchableHead): boolean;
  matches(request: MatchableHead & { readonly body?: MatchableBody }): Match;
}

/** The eval schema is not valid (upstream's interceptor crashes on it during the run). `field` is a JSON pointer. */
export class EvalSchemaError extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.name = 'EvalSchemaError';
    this.field = field;
  }
}

/**
 * Compiles an `eval_schema`.
 * @throws PatternError, EvalSchemaError
 */
export function compileTarget(evalSchema: unknown): Target {
  const schema = isObject(evalSchema) ? evalSchema : {};
  const pattern = readPattern(schema['url_pattern']);
  const method = typeof schema['method'] === 'string' ? schema['method'].toUpperCase() : '';
  const wanted = wantedSpellings(pattern?.source ?? '');
  const params = readFilter(schema['params'], 'params');
  const body = readFilter(schema['body'], 'body');
  const matchesHead = (head: MatchableHead): boolean =>
    pattern !== null &&
    (method === '' || head.method === method || head.method.toUpperCase() === method) &&
    urlSpellings(head.url, wanted).some((spelling) => pattern.search(spelling)) &&
    (params === null || constFieldsMatch(params, queryParams(head.url)));
  return {
    schema: evalSchema ?? null,
    armed: pattern !== null,
    needsBody: pattern !== null && body !== null,
    matchesHead,
    matches: (request) => (matchesHead(request) ? bodyMatch(body, request.body) : 'no-match'),
  };
}

function bodyMatch(filter: ConstFilter | null, body: MatchableBody | undefined): Match {
  if (filter === null) return 'match';
  if (body === undefined) return 'unknown';
  if (holdsInBody(filter, body)) return 'match';
  if (body.status !== 'complete' && body.status !== 'none') return 'unknown';
  return isAmbiguous(filter, body) ? 'unknown' : 'no-match';
}

/** Servers differ in which of several values of a form field they use. */
function holdsInBody(filter: ConstFilter, { fields, form, inner = [] }: MatchableBody): boolean {
  const repeats = form === 'form' || form === 'multipart';
  return [{ fields, repeats }, ...inner].some((one) =>
    constFieldsMatch(filter, one.fields, one.repeats ? 'any-repeat' : 'whole-list'),
  );
}

/** Whether a JSON object has a filtered key twice: some servers use the first value, some the last. */
function isAmbiguous(filter: ConstFilter, { form, text }: MatchableBody): boolean {
  if (form !== 'json' || typeof text !== 'string') return false;
  const repeated = repeatedKeys(text);
  return repeated.size > 0 && Object.keys(filter).some((key) => repeated.has(key));
}

function readPattern(value: unknown): UrlPattern | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string')
    throw new EvalSchemaError('/eval_schema/url_pattern', 'eval_schema.url_pattern must be a string');
  return compilePattern(value);
}

function readFilter(value: unknown, name: string): ConstFilter | null {
  if (!isTruthy(value)) return null;
  if (!isObject(value))
    throw new EvalSchemaError(`/eval_schema/${name}`, `eval_schema.${name} must be an object of constant fields`);
  return value;
}
