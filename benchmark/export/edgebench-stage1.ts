import { constFieldsMatch, type ConstFilter } from '../request/const-filter.ts';
import { isObject } from '../text/json.ts';
import { compilePattern, PatternError } from '../request/url-pattern.ts';
import { queryParams } from '../request/query-params.ts';

/**
 * Stage 1 as an EdgeBench judge recomputes it from a submitted request: what the URL shows is never
 * taken from other fields of the request. Parameters come from the URL (the first value of a repeated one), so a forged `params`
 * field has no effect. A pattern that cannot be compiled matches nothing: this judge fails closed.
 */
export function edgebenchStage1(evalSchema: unknown, request: unknown): boolean {
  if (!isObject(evalSchema) || !isObject(request)) return false;
  const url = text(request['url']);
  const method = text(evalSchema['method']);
  if (method !== '' && method.toUpperCase() !== text(request['method']).toUpperCase()) return false;
  return (
    urlMatches(text(evalSchema['url_pattern']), url) &&
    constFieldsMatch(filter(evalSchema['params']), firstValues(url)) &&
    constFieldsMatch(filter(evalSchema['body']), request['body'])
  );
}

function urlMatches(pattern: string, url: string): boolean {
  try {
    return compilePattern(pattern).search(url);
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

function firstValues(url: string): Record<string, unknown> {
  const entries = Object.entries(queryParams(url));
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]));
}

function filter(value: unknown): ConstFilter | null {
  return isObject(value) ? value : null;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
