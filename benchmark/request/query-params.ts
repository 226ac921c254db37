import type { JsonObject } from '../text/json.ts';
import { parsePairs, toFields } from './urlencoded.ts';

/**
 * The query's parameters as upstream reads them: `&` is the only separator, pairs with an empty or missing value are dropped,
 * one value → string, several → list. Values are always strings. Never throws.
 */
export function queryParams(url: string): JsonObject {
  const withoutFragment = url.split('#', 1)[0] ?? '';
  const start = withoutFragment.indexOf('?');
  if (start === -1) return {};
  const pairs = parsePairs(withoutFragment.slice(start + 1)).filter(({ value }) => value !== '');
  return toFields(pairs);
}
