/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-call -- the case files have as many shapes as groups */
import { readActionRow } from '../../../benchmark/bundle/action-row.ts';
import { decodeBody } from '../../../benchmark/request/body.ts';
import { constFieldsMatch } from '../../../benchmark/request/const-filter.ts';
import { interceptionOnMatch, interceptionWithoutMatch } from '../../../benchmark/bundle/interception-file.ts';
import { isPassive } from '../../../benchmark/request/passive-load.ts';
import { compilePattern } from '../../../benchmark/request/url-pattern.ts';
import { compileTarget, type Target } from '../../../benchmark/request/predicate.ts';
import { queryParams } from '../../../benchmark/request/query-params.ts';
import { decodeLogged, isLogged, requestLogRow, type LoggedRequest } from '../../../benchmark/bundle/request-row.ts';
import { screenshotDue } from '../../../benchmark/bundle/screenshot-throttle.ts';
import { readStopReason } from '../../../benchmark/outcome/stop-reason.ts';
import { openFocus } from '../../../sidecar/capture/focus.ts';
import type { ConformanceGroup } from '../group.ts';

/** Predicate, bodies, rows, interception file. */
export const REQUEST_GROUPS: Readonly<Record<string, ConformanceGroup>> = {
  body_parse: ({ input }) => ({
    body: decodeBody({ bytes: Buffer.from(input.postData ?? ''), status: 'complete' }).fields,
  }),
  query_parse: ({ input }) => ({ query_params: queryParams(input.url) }),
  const_match: ({ input }) => ({ match: constFieldsMatch(input.filter, input.actual) }),
  corpus_regex: ({ input }) => ({ match: compilePattern(input.url_pattern).search(input.url) }),
  intercept: ({ input }) => intercept(input),
  intercept_sequence: ({ input, expected }) => sequence(input, expected),
  request_log_filter: ({ input }) => ({ logged: isLogged(input.url) }),
  request_log_row: ({ input }) => ({
    ...requestLogRow(seen({ ...input.requestPaused.request, resourceType: input.requestPaused.resourceType })),
    timestamp: '<unix seconds, float>',
  }),
  ensure_interception: ({ input }) => ({
    interception_json_without_description: ensureInterception(input),
    // Ours is never in the evidence: it is in the harness's own /data.
    stop_reason_file_left: false,
  }),
  screenshot_throttle: ({ input }) => throttle(input.action_events_at_seconds),
  auto_focus: ({ input }) => ({ activated_targets: focused(input) }),
  robustness: ({ input }) => robust(input.first),
};

function seen(request: any): LoggedRequest {
  const text = request.postData;
  const body = typeof text === 'string' && text !== '' ? new TextEncoder().encode(text) : undefined;
  return {
    at: 0,
    url: request.url,
    method: request.method,
    headers: request.headers ?? {},
    resourceType: request.resourceType ?? '',
    body,
    bodyStatus: body === undefined ? 'none' : 'complete',
  };
}

/** What the guard does with a request: block it as the match, block a passive load, or continue it. */
function decide(target: Target, request: LoggedRequest): 'match' | 'passive' | 'continue' {
  const match = target.matches({ url: request.url, method: request.method, body: decodeLogged(request) });
  if (match === 'no-match') return 'continue';
  return isPassive(request) ? 'passive' : 'match';
}

function intercept(input: any): unknown {
  const request = seen(input.request);
  const decision = decide(compileTarget(input.eval_schema), request);
  const common = {
    action: decision === 'continue' ? 'continue' : 'block',
    logged_in_requests_jsonl: isLogged(request.url),
    stop_requests_sent: decision === 'match' ? 1 : 0,
  };
  if (decision !== 'match') return common;
  const written = interceptionOnMatch({ ...request, frameUrl: '', initiator: '' }, input.eval_schema);
  const { url, method, params, body } = written.request;
  return {
    ...common,
    interception_json: {
      intercepted: written.intercepted,
      request: { url, method, params, body },
      schema: written.schema,
    },
  };
}

/** Requests such as `POST /hit n=1`, in order; after a match we block every request. */
function sequence(input: any, expected: any): unknown {
  const target = compileTarget(input.eval_schema);
  let caught: LoggedRequest | null = null;
  const actions = input.requests.map((line: string) => {
    const [method, path, postData] = line.split(' ');
    const request = seen({ url: `https://x.test${path}`, method, postData });
    if (caught !== null) return 'failRequest';
    if (decide(target, request) === 'continue') return 'continueRequest';
    caught = request;
    return 'failRequest';
  });
  const common = { actions, requests_logged: input.requests.length };
  if ('interception_json_exists' in expected) return { ...common, interception_json_exists: caught !== null };
  return {
    ...common,
    interception_body: caught === null ? null : decodeLogged(caught).fields,
    stop_requests_sent: caught === null ? 0 : 1,
    error_reason: 'BlockedByClient',
  };
}

function ensureInterception(input: any): unknown {
  if (input.existing_interception?.intercepted === true) return input.existing_interception;
  const schema = { url_pattern: 'x', method: 'POST' };
  const { stop_description: _sentence, ...rest } = interceptionWithoutMatch(
    readStopReason(input.stop_reason_file),
    schema,
  );
  return rest;
}

function throttle(seconds: readonly number[]): unknown {
  let last: number | null = null;
  let taken = 0;
  for (const at of seconds.map((second) => Math.round(second * 1000))) {
    if (!screenshotDue(last, at)) continue;
    last = at;
    taken += 1;
  }
  return { actions_logged: seconds.length, screenshots_requested: taken };
}

/** An action on a tab, and a navigation in it, bring the tab to the front; other requests do not. */
function focused(input: any): string[] {
  const navigations = (input.requests ?? []).filter((line: string) => line.startsWith('Document '));
  const sessions: string[] = input.actions_on_sessions ?? navigations.map((line: string) => line.split(' ').at(-1));
  const focus = openFocus();
  return sessions
    .map((session) => session.replace(/^S/, 'T'))
    .filter((target, at) => focus.shouldActivate(target, false, at));
}

/** Hostile input first (as a binding's payload and as a body), the target next: it must be blocked. */
function robust(first: string): unknown {
  const quoted = /^binding payload "(.*)"$/s.exec(first)?.[1];
  const repeated = /(\d+) "(.)"/.exec(first);
  const hostile = quoted ?? (repeated === null ? first : repeated[2]!.repeat(Number(repeated[1])));
  const target = compileTarget({ url_pattern: '/hit', method: 'POST', body: { n: '1' } });
  const exception = thrownBy(() => {
    readActionRow(hostile, 0);
    const bytes = new TextEncoder().encode(hostile);
    const body = decodeBody({ bytes, status: 'complete', headers: { 'content-type': 'application/json' } });
    target.matches({ url: 'https://x.test/hit', method: 'POST', body });
  });
  const real = seen({ url: 'https://x.test/hit', method: 'POST', postData: 'n=1' });
  // An exception in an event handler ends the handler.
  const blocked = exception === null && decide(target, real) === 'match';
  return {
    upstream_target_blocked: blocked,
    upstream_exception: exception,
    required_of_reimplementation: blocked ? 'target blocked' : 'target not blocked',
  };
}

/** Name of the exception; null: none. */
function thrownBy(act: () => void): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}
