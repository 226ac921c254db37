import type { ApiType } from '../../benchmark/models/models-file.ts';

/** What a path of the provider does. `billed`: its API type; null: it costs nothing (lists, token counts). */
export interface ProviderEndpoint {
  readonly billed: ApiType | null;
}

/**
 * The endpoints that an agent's model client needs, by the end of the path. All others are refused: files, batches and
 * fine-tuning would spend on the same key without reporting it in the answer.
 */
const ENDPOINTS: readonly (readonly [string, RegExp, ApiType | null])[] = [
  ['POST', /^\/(?:[^/]+\/)*chat\/completions$/, 'openai-completions'],
  ['POST', /^\/(?:[^/]+\/)*responses$/, 'openai-responses'],
  ['POST', /^\/(?:[^/]+\/)*messages$/, 'anthropic-messages'],
  ['POST', /^\/(?:[^/]+\/)*messages\/count_tokens$/, null],
  ['POST', /^\/(?:[^/]+\/)*models\/[^/]+:(?:stream)?[gG]enerateContent$/, 'google-generative-ai'],
  ['POST', /^\/(?:[^/]+\/)*models\/[^/]+:countTokens$/, null],
  ['GET', /^\/(?:[^/]+\/)*models(?:\/[^:]*)?$/, null],
];

/**
 * The endpoint of a request below the base URL's path; null when it is not allowed.
 * @param basePath path of the provider's base URL, without trailing slash.
 */
export function endpointOf(method: string, path: string, basePath: string): ProviderEndpoint | null {
  if (!isCanonical(path)) return null;
  if (basePath !== '' && !path.startsWith(`${basePath}/`)) return null;
  const below = path.slice(basePath.length);
  const found = ENDPOINTS.find(([verb, shape]) => verb === method && shape.test(below));
  return found === undefined ? null : { billed: found[2] };
}

/** Gemini's calls name the model in the path, and the answer names a version of it that no price list knows. */
export function modelInPath(path: string): string | null {
  return /\/models\/([^/:]+):[a-zA-Z]+$/.exec(path)?.[1] ?? null;
}

/**
 * Whether the path is sent as it is judged. A URL parser cuts fragments, undoes dot segments, turns backslashes and drops
 * tabs, so that `/v1/batches#/chat/completions` would be judged as one endpoint and sent to another.
 */
function isCanonical(path: string): boolean {
  return path.startsWith('/') && !/%2e|%2f|%5c/i.test(path) && URL.parse(`http://x${path}`)?.pathname === path;
}
