/**
 * Why we differ from upstream on purpose, by group. A case is skipped with this reason only when it is marked `upstream_quirk` and
 * our answer is the one in `intended-differences.ts`. `docs/differences.md` explains each one (a test compares the lists).
 */
export const DIFFERENCE_REASONS: Readonly<Record<string, string>> = {
  attach: 'Fetch is enabled once on the browser session, not per page; cross-site frames are observed like pages',
  body_parse: 'bodies are decoded by content type',
  browser_e2e: 'what upstream lets through is blocked and logged, or (speculation prefetch) never sent',
  classify: 'categories do not depend on the order of events',
  cli_rescore: 'rescore takes a directory as documented',
  intercept: 'a passive load is blocked but does not count as an action of the agent',
  intercept_sequence: 'after a match every request is blocked',
  judge_http: 'both rubrics support every API type over its own endpoint',
  judge_parse: 'prose with a negation, or with both words, is not a verdict',
  judge_retry: 'retries depend on typed errors and Retry-After',
  redact_cdp_url: 'user and password in the address are redacted too',
  request_log_row: 'credentials in headers are redacted',
  rescore_aggregate: 'an unreadable run is counted as infrastructure in our own tables',
  robustness: 'hostile input does not end interception',
  robustness2: 'a bad action row changes no result',
  run_outcome: 'every run has a run-meta, and an interception is never lost',
  usage_emit: 'each call counts once, with its final usage',
  usage_normalize: 'reasoning tokens inside the output are not added again',
  watchdog: 'the recorder acts at once instead of polling',
};
