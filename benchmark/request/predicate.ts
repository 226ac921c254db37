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
 * Stage 1: is this the terminal request of the task? The one predicate of the product, used by the guard while the
 * request is held, by the gateway, offline, and by the linter of tasks. The rules are upstream's,
 * but for what docs/differences.md lists.
 */

/**
 * `unknown`: everything visible fits, but a body filter meets a body that is missing or incomplete. It must be blocked
 * like a match and reported as `body_status`, never counted as a failure of the agent.
 */
type Match = 'match' | 'no-match' | 'unknown';

export interface MatchableHead {
  readonly url: string;
  readonly method: string;
}

/** What the predicate needs of a decoded body (see `decodeBody`). */
interface MatchableBody {
  readonly status: BodyStatus;
  readonly fields: JsonValue;
  readonly form?: BodyForm;
  readonly inner?: readonly InnerFields[];
  readonly text?: string | null;
}

export interface Target {
  /** The eval schema as given; goes whole into `interception.json`. */
  readonly schema: unknown;
  /** Whether there is a pattern at all: none or an empty one means logging only. */
  readonly armed: boolean;
  /** Whether the head alone does not decide. */
  readonly needsBody: boolean;
  /** URL, method and query: all that stands before the body. When `needsBody` is false this is the decision. */
  matchesHead(head: MatchableHead): boolean;
  matches(request: MatchableHead & { readonly body?: MatchableBody }): Match;
}

/** The eval schema itself cannot be used (upstream's interceptor dies of it in the middle of a run). `field` is a JSON pointer. */
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
    (params === null || constFieldsMatch(params, queryParams(head.url), 'same-repeats'));
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

/** Repeated fields of a form are several answers to one question, and servers differ in which they take. */
function holdsInBody(filter: ConstFilter, { fields, form, inner = [] }: MatchableBody): boolean {
  const repeats = form === 'form' || form === 'multipart';
  return [{ fields, repeats }, ...inner].some((one) =>
    constFieldsMatch(filter, one.fields, one.repeats ? 'any-repeat' : 'whole-list'),
  );
}

/** A JSON object with a filtered key twice: some servers take the first value, some the last. */
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
