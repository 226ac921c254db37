/* eslint-disable @typescript-eslint/no-explicit-any -- the case files have as many shapes as groups */
import { geminiUrl, preflightAnswered, preflightRequest } from '../../../benchmark/models/preflight-request.ts';
import { redactCdpUrl } from '../../../benchmark/bundle/redact-url.ts';
import type { ConformanceGroup } from '../group.ts';

/** Requests to providers of models and of remote browsers. */
export const PROVIDER_GROUPS: Readonly<Record<string, ConformanceGroup>> = {
  preflight: ({ input }) => preflight(input),
  preflight_gemini_url: ({ input }) => ({ url: geminiUrl(input.base_url, input.model, input.key) }),
  redact_cdp_url: ({ input }) => ({ redacted: redactCdpUrl(input.url) }),
};

const KEY = 'the-key';

function preflight(input: any): unknown {
  const request = preflightRequest({ name: 'm', baseUrl: 'https://h/v1', apiType: input.api_type }, KEY);
  if (request === null) return { ok: false, url: null, payload: null };
  return {
    ok: preflightAnswered(input.api_type, input.response),
    url: request.url.replace(KEY, '<key>'),
    payload: withoutText(request.body),
  };
}

/** Prompts are our own: the cases contain a placeholder. */
function withoutText(value: unknown, key = ''): unknown {
  if (typeof value === 'string' && ['content', 'input', 'text'].includes(key)) return '<text>';
  if (Array.isArray(value)) return value.map((one) => withoutText(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutText(inner, name)]));
}
