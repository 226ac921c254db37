import { isObject, jsonPointer } from '../text/json.ts';
import { PatternError } from '../request/url-pattern.ts';
import { compileTarget, EvalSchemaError } from '../request/predicate.ts';
import { isPlaceholder } from '../task/task.ts';
import { lintError, lintWarning, type LintFinding } from './lint-finding.ts';
import { patternReach } from './pattern-reach.ts';
import { patternSlip } from './pattern-slips.ts';
import { patternDomain, siteDomain } from './target-site.ts';

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
    ...(typeof pattern === 'string' ? lintPattern(pattern, sites) : []),
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

function lintPattern(pattern: string, sites: unknown): LintFinding[] {
  if (isPlaceholder(pattern)) {
    const message =
      'the pattern is the placeholder, so no request is ever intercepted and only the Agentic rubric can score the task';
    return [lintWarning('placeholder', PATTERN, message)];
  }
  if (pattern === '') {
    const message =
      'the pattern is empty, so requests are logged but never intercepted; set it to the URL of the last step';
    return [lintWarning('pattern', PATTERN, message)];
  }
  return [...lintReach(pattern), ...lintAnchor(pattern), ...lintSites(pattern, sites)];
}

/** A body filter never matches a request without a body. */
function lintBodyOfGet({ method, body }: Record<string, unknown>): LintFinding[] {
  if (!/^(?:GET|HEAD)$/i.test(String(method)) || !isObject(body) || Object.keys(body).length === 0) return [];
  const message = `never matches: a ${String(method)} request has no body to filter; use params, or the method that the site sends`;
  return [lintError('never', '/eval_schema/body', message)];
}

function lintReach(pattern: string): LintFinding[] {
  const slip = patternSlip(pattern);
  if (slip !== null) {
    const message = `never matches what it seems to require: ${slip.found} in a regular expression means ${slip.means}; write ${slip.write}`;
    return [lintError('never', PATTERN, message)];
  }
  const reach = patternReach(pattern);
  if (reach.kind !== 'never') return [];
  const written = reach.written === null ? 'that is not a URL that a browser sends' : `browsers write ${reach.written}`;
  return [
    lintError(
      'never',
      PATTERN,
      `never matches: the pattern requires ${reach.asked}, but ${written}; change the pattern`,
    ),
  ];
}

/** A pattern is searched in the whole URL: another site that carries the target in its query matches as well. */
function lintAnchor(pattern: string): LintFinding[] {
  if (/^(?:\(\?[a-zA-Z]+\))?(?:\((?:\?:)?)*(?:\^|\\A)/.test(pattern)) return [];
  const message =
    'the pattern is not anchored, so a URL of another site with the target in its query also matches; start it with ^https?://';
  return [lintWarning('unanchored', PATTERN, message)];
}

function lintSites(pattern: string, sites: unknown): LintFinding[] {
  const target = patternDomain(pattern);
  const named = (Array.isArray(sites) ? (sites as unknown[]) : [])
    .filter((site): site is string => typeof site === 'string')
    .map(siteDomain)
    .filter((site) => site !== null);
  if (target === null || named.length === 0 || named.includes(target)) return [];
  const message = `the request goes to ${target}, which is not in sites_involved (${named.join(', ')}); add it if this is intended`;
  return [lintWarning('site', PATTERN, message)];
}
