import { isObject, jsonPointer } from '../text/json.ts';
import { PatternError } from '../request/url-pattern.ts';
import { compileTarget, EvalSchemaError } from '../request/predicate.ts';
import { lintError, lintWarning, type LintFinding } from './lint-finding.ts';
import { lintUrlPattern } from './url-pattern-lint.ts';

const PATTERN = '/eval_schema/url_pattern';

/**
 * Checks a task's target: whether it compiles, can match a request, and matches only what the author intends.
 * @param sites `metadata.sites_involved`.
 */
export function lintTarget(schema: unknown, sites: unknown): LintFinding[] {
  try {
    compileTarget(schema);
  } catch (error) {
    if (error instanceof PatternError) return [lintError('pattern', PATTERN, error.message)];
    if (error instanceof EvalSchemaError) return [lintError('filter', error.field, error.message)];
    throw error;
  }
  if (!isObject(schema)) return [];
  const pattern = schema['url_pattern'];
  return [
    ...lintParams(schema['params']),
    ...lintNavigation(schema),
    ...lintBodyOfGet(schema),
    ...(typeof pattern === 'string' ? lintUrlPattern(pattern, sites) : []),
  ];
}

/** Query values are always strings, so a filter of another type never matches. */
function lintParams(params: unknown): LintFinding[] {
  return Object.entries(isObject(params) ? params : {})
    .filter(([, value]) => typeof value !== 'string' && !Array.isArray(value))
    .map(([key]) =>
      lintWarning(
        'filter',
        jsonPointer(['eval_schema', 'params', key]),
        `params.${key} is not a string, but query values are always strings, so it never matches; put the value in quotes`,
      ),
    );
}

function lintNavigation(schema: Record<string, unknown>): LintFinding[] {
  if (schema['method'] !== 'GET' || isObject(schema['params'])) return [];
  const message =
    'method is GET without a params filter, so opening a page may end the run; add params or a narrower pattern';
  return [lintWarning('navigation', '/eval_schema/method', message)];
}

/** A body filter never matches a request without a body. */
function lintBodyOfGet({ method, body }: Record<string, unknown>): LintFinding[] {
  if (!/^(?:GET|HEAD)$/i.test(String(method)) || !isObject(body) || Object.keys(body).length === 0) return [];
  const message = `never matches: a ${String(method)} request has no body to filter; use params, or the method that the site sends`;
  return [lintError('never', '/eval_schema/body', message)];
}
