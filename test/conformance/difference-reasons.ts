/**
 * Where we differ from upstream on purpose, by group; a case is skipped with this reason only when it is marked
 * `upstream_quirk` and our answer is the one of `instead.ts`. `docs/differences.md` tells the same at length (a test
 * compares).
 */
export const DIFFERENCE_REASONS: Readonly<Record<string, string>> = {
  attach: 'Fetch is enabled once on the browser session, not per page; cross-site frames are watched as pages are',
  body_parse: 'bodies are decoded by content type',
  browser_e2e: 'what upstream lets through is blocked and logged, or (speculation prefetch) never sent',
  classify: 'categories do not depend on luck',
  cli_rescore: 'rescore takes a directory as documented',
  intercept: 'a passive load is blocked but is no act of the agent',
  intercept_sequence: 'after a match everything is cut, nothing continues',
  judge_http: 'both rubrics speak every API type over its own endpoint',
  judge_parse: 'prose with a negation, or with both words, is no verdict',
  judge_retry: 'retries go by typed error and Retry-After',
  redact_cdp_url: 'user and password in the address are redacted too',
  request_log_row: 'credentials in headers are redacted',
  rescore_aggregate: 'an unreadable run is counted as infrastructure in our own tables',
  robustness: 'hostile input does not end interception',
  robustness2: 'a bad action row changes no result',
  run_outcome: 'every end leaves a run-meta, and an interception is never lost',
  usage_emit: 'each call counts once, with its final usage',
  usage_normalize: 'reasoning tokens inside the output are not added again',
  watchdog: 'the recorder acts at once instead of polling',
};
