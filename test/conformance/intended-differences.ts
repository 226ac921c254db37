/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-return -- the case files have as many shapes as groups */
import { canonicalJson } from './canonical-json.ts';
import type { ConformanceCase } from './case-file.ts';

/**
 * Our answers to the cases in which we differ from upstream on purpose. Such a case is checked like any other, against our
 * intended answer. Both answers are listed: when a case records another answer of upstream, the difference no longer applies.
 */
type Changes = Readonly<Record<string, readonly [upstream: unknown, ours: unknown]>>;

/** Instead of a value: the field is absent. */
const ABSENT = Symbol('absent');

const BLOCKED = {
  upstream_logged: true,
  upstream_blocked: true,
  upstream_reached_server: false,
  browser_level_fetch_blocked: true,
  browser_level_fetch_reached_server: false,
};
const NEVER_SENT = {
  ...BLOCKED,
  upstream_logged: false,
  upstream_blocked: false,
  browser_level_fetch_blocked: false,
  required_of_reimplementation: 'never sent',
};
/** Commands for actions only: requests are paused once, on the browser session. */
const WATCHED = [
  'Page.enable',
  'Runtime.enable',
  'Runtime.addBinding',
  'Page.addScriptToEvaluateOnNewDocument',
  'Target.setAutoAttach',
  'Runtime.runIfWaitingForDebugger',
];

/** For groups whose cases are not listed one by one. */
const BY_GROUP: Readonly<Record<string, (expected: any, input: any) => unknown>> = {
  attach: () => ({ commands_on_child_session: WATCHED }),
  browser_e2e: ({ required_of_reimplementation }, input) =>
    input.scenario === 'spec-prefetch' ? NEVER_SENT : { ...BLOCKED, required_of_reimplementation },
  robustness: (expected) => ({ ...expected, upstream_target_blocked: true, upstream_exception: null }),
  robustness2: (expected) => ({ ...expected, upstream_exception: null }),
};

const TEXTS = [
  { role: 'system', content: '<text>' },
  { role: 'user', content: '<text>' },
];
const CHAT = { model: 'jm', messages: TEXTS, max_tokens: 800, temperature: 0 };

const JUDGED = { judge_called: [false, true], judge_json: [false, true], judge_match: ['<absent>', true] } as const;
/** Upstream loses the interception; ours is kept and judged. */
const KEPT: Changes = {
  ...JUDGED,
  intercepted: [false, true],
  pass: ['<absent>', true],
  has_failure_reason: [true, false],
};
const WRITTEN: Changes = { run_meta_written: [false, true] };

/** By the path of the field in `expected`, with dots. */
const BY_CASE: Readonly<Record<string, Changes>> = {
  'cli_rescore-001': { upstream_exit_code: [2, 0] },
  'intercept_sequence-001': {
    actions: [
      ['failRequest', 'continueRequest', 'failRequest'],
      ['failRequest', 'failRequest', 'failRequest'],
    ],
    stop_requests_sent: [2, 1],
  },
  'judge_http-004': {
    url: ['https://j.test/v1/chat/completions', 'https://j.test/v1/responses'],
    payload: [CHAT, { model: 'jm', instructions: '<text>', input: '<text>', max_output_tokens: 800 }],
  },
  'judge_http-008': {
    url: [null, 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions'],
    payload: [null, CHAT],
    'result.match': [null, true],
    'result.reason': ['', 'ok'],
    'result.raw': ['', '{"match": true, "reason": "ok"}'],
    'result.error': ['err_NotImplementedError', ABSENT],
  },
  'judge_parse-026': { 'strict.match': [true, null], 'lenient.match': [true, null] },
  'judge_parse-027': { 'strict.match': [false, null] },
  // A call that times out is retried equally often for both rubrics; a response without a choice is not retried.
  'judge_retry-004': {
    'strict.calls': [3, 4],
    'strict.sleeps': [
      [1, 2],
      [1, 2, 4],
    ],
    'lenient.calls': [1, 4],
    'lenient.sleeps': [[], [1, 2, 4]],
    'lenient.error': ['err_TimeoutError: t', 'failed'],
  },
  'judge_retry-005': {
    'strict.calls': [2, 1],
    'strict.sleeps': [[1], []],
    'strict.match': [true, null],
    'strict.has_error': [false, true],
    'lenient.error': ['err_IndexError: list index out of range', 'failed'],
  },
  'request_log_row-001': { 'headers.Authorization': ['Bearer t', 'Bearer [REDACTED]'] },
  'robustness-001': { upstream_target_blocked: [false, true], upstream_exception: ['AttributeError', null] },
  'robustness-002': { upstream_target_blocked: [false, true], upstream_exception: ['RecursionError', null] },
  'robustness2-001': { upstream_exception: ['KeyError', null] },
  'robustness2-002': { upstream_exception: ['JSONDecodeError', null] },
  'run_outcome-007': {
    ...WRITTEN,
    intercepted: [ABSENT, true],
    // Not passed: it waits for a verdict.
    pass: [ABSENT, false],
    judge_match: [ABSENT, '<absent>'],
    result_category: [ABSENT, 'intercepted'],
    failure_category: [ABSENT, null],
    infra_failure: [ABSENT, false],
    adjusted_eligible: [ABSENT, true],
    has_failure_reason: [ABSENT, false],
  },
  'run_outcome-016': {
    ...KEPT,
    result_category: ['browser_runtime_artifact_failed', 'intercepted'],
    failure_category: ['browser_runtime_artifact_failed', null],
  },
  'run_outcome-018': {
    ...WRITTEN,
    exception: ['KeyboardInterrupt', null],
    intercepted: [ABSENT, false],
    pass: [ABSENT, '<absent>'],
    judge_match: [ABSENT, '<absent>'],
    result_category: [ABSENT, 'infra_failure'],
    failure_category: [ABSENT, 'infra_failure'],
    infra_failure: [ABSENT, true],
    adjusted_eligible: [ABSENT, false],
    has_failure_reason: [ABSENT, true],
  },
  'run_outcome-019': {
    ...KEPT,
    result_category: ['infra_failure', 'intercepted'],
    failure_category: ['infra_failure', null],
    infra_failure: [true, false],
    adjusted_eligible: [false, true],
  },
  'usage_emit-010': { upstream_total_tokens: [101, 90], upstream_rows: [2, 1] },
  'usage_emit-011': { upstream_total_tokens: [360, 120], upstream_rows: [3, 1] },
  'usage_emit-012': { upstream_rows: [0, 1] },
  'usage_normalize-008': { output_tokens: [50, 20], total_tokens: [180, 150] },
};

/**
 * The answer that we intend instead of upstream's.
 * @param expected the compared part of upstream's answer.
 * @returns null for a case that has no entry yet.
 * @throws Error when upstream's answer is not the one that the difference was written for.
 */
export function intendedAnswer(one: ConformanceCase, expected: unknown): { readonly answer: unknown } | null {
  const changes = BY_CASE[one.id];
  if (changes !== undefined) return { answer: changed(one.id, expected, changes) };
  const instead = BY_GROUP[one.group];
  return instead === undefined ? null : { answer: instead(expected, one.input) };
}

function changed(id: string, expected: unknown, changes: Changes): unknown {
  const answer: unknown = structuredClone(expected);
  for (const [path, [upstream, ours]] of Object.entries(changes)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const parent = keys.reduce((at: any, key) => at?.[key], answer as any);
    const recorded: unknown = Object.hasOwn(parent ?? {}, last) ? parent[last] : ABSENT;
    if (!isSame(recorded, upstream)) {
      throw new Error(`${id} records a different ${path} of upstream than the difference was written for`);
    }
    if (ours === ABSENT) delete parent[last];
    else parent[last] = ours;
  }
  return answer;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === ABSENT || b === ABSENT ? a === b : canonicalJson(a) === canonicalJson(b);
}
