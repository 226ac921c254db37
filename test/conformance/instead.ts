/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-return -- the case files have as many shapes as groups */
import type { ConformanceCase } from './case-file.ts';

/**
 * What ours answers where it differs from upstream on purpose: a difference is checked like any other case, only
 * against another answer. By group where one rule says it, by case otherwise, as a change of upstream's answer.
 */
type Instead = (expected: any, input: any) => unknown;

const BLOCKED = {
  upstream_logged: true,
  upstream_blocked: true,
  upstream_reached_server: false,
  browser_level_fetch_blocked: true,
  browser_level_fetch_reached_server: false,
  required_of_reimplementation: 'blocked and logged',
};
const NEVER_SENT = {
  ...BLOCKED,
  upstream_logged: false,
  upstream_blocked: false,
  browser_level_fetch_blocked: false,
  required_of_reimplementation: 'never sent',
};
/** Actions only: requests are paused once, on the browser itself. */
const WATCHED = [
  'Page.enable',
  'Runtime.enable',
  'Runtime.addBinding',
  'Page.addScriptToEvaluateOnNewDocument',
  'Target.setAutoAttach',
  'Runtime.runIfWaitingForDebugger',
];

const BY_GROUP: Readonly<Record<string, Instead>> = {
  attach: () => ({ commands_on_child_session: WATCHED }),
  browser_e2e: (_expected, input) => (input.scenario === 'spec-prefetch' ? NEVER_SENT : BLOCKED),
};

/** The attempt's own meta, before any verdict. */
const META = { run_meta_written: true, judge_match: '<absent>' };
const INTERCEPTED = {
  ...META,
  intercepted: true,
  pass: true,
  result_category: 'intercepted',
  failure_category: null,
  infra_failure: false,
  adjusted_eligible: true,
};
const ENDED = {
  ...META,
  intercepted: false,
  pass: '<absent>',
  result_category: 'infra_failure',
  failure_category: 'infra_failure',
  infra_failure: true,
  adjusted_eligible: false,
};
const BY_CASE: Readonly<Record<string, Instead>> = {
  'cli_rescore-001': (expected) => ({ ...expected, upstream_exit_code: 0 }),
  'intercept_sequence-001': (expected) => ({
    ...expected,
    actions: ['failRequest', 'failRequest', 'failRequest'],
    stop_requests_sent: 1,
  }),
  'judge_http-004': (expected) => ({
    ...expected,
    url: 'https://j.test/v1/responses',
    payload: { model: 'jm', instructions: '<text>', input: '<text>', max_output_tokens: 800 },
  }),
  'judge_http-008': (expected) => ({
    url: 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions',
    payload: {
      model: 'jm',
      messages: [
        { role: 'system', content: '<text>' },
        { role: 'user', content: '<text>' },
      ],
      max_tokens: 800,
      temperature: 0,
    },
    result: {
      match: true,
      reason: 'ok',
      judge_model: 'jm',
      raw: '{"match": true, "reason": "ok"}',
      rubric: expected.result.rubric,
    },
  }),
  'judge_parse-026': noVerdict,
  'judge_parse-027': noVerdict,
  // A call that times out is repeated as often in either rubric; an answer without a choice is not repeated.
  'judge_retry-004': (expected) => ({
    strict: { ...expected.strict, calls: 4, sleeps: [1, 2, 4] },
    lenient: { calls: 4, sleeps: [1, 2, 4], match: null, error: 'failed' },
  }),
  'judge_retry-005': (expected) => ({
    strict: { calls: 1, sleeps: [], match: null, has_error: true },
    lenient: { ...expected.lenient, error: 'failed' },
  }),
  'request_log_row-001': (expected) => ({
    ...expected,
    headers: { ...expected.headers, Authorization: 'Bearer [REDACTED]' },
  }),
  'run_outcome-007': (expected) => ({ ...expected, ...INTERCEPTED }),
  'run_outcome-016': (expected) => ({ ...expected, ...INTERCEPTED }),
  'run_outcome-018': (expected) => ({ ...expected, ...ENDED }),
  'run_outcome-019': (expected) => ({ ...expected, ...INTERCEPTED }),
  'usage_emit-012': () => ({ upstream_rows: 1 }),
  'usage_normalize-008': (expected) => ({ ...expected, output_tokens: 20, total_tokens: 150 }),
};

function noVerdict({ strict, lenient }: any): unknown {
  return { strict: { ...strict, match: null }, lenient: { ...lenient, match: null } };
}

/** @returns `known: false` for a case that nobody has looked at yet. */
export function insteadOf(one: ConformanceCase): { readonly known: boolean; readonly answer?: unknown } {
  const instead = BY_CASE[one.id] ?? BY_GROUP[one.group];
  return instead === undefined ? { known: false } : { known: true, answer: instead(one.expected, one.input) };
}
