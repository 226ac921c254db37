/** Why an agent was stopped, in upstream's words, each with our description for `interception.json`. */
const STOP_DESCRIPTIONS = {
  eval_matched: 'The terminal request was intercepted and blocked.',
  agent_idle: 'The agent performed no browser action within the idle limit.',
  agent_exited: 'The agent exited before the terminal request was sent.',
  time_limit_exceeded: 'The time limit of the task was reached.',
  vnc_disconnected: 'The person at the browser disconnected.',
  chrome_cdp_timeout: 'The browser did not answer on its DevTools port in time.',
  proxy_failed: 'The model proxy of the harness did not start.',
  gateway_failed: 'The gateway of the harness did not start.',
  hermes_failed: 'The hermes harness exited during startup.',
  opencode_failed: 'The opencode harness could not run.',
  claude_code_failed: 'The claude-code harness could not run.',
  codex_failed: 'The codex harness could not run.',
  browser_use_failed: 'The browser-use harness could not run.',
  pi_failed: 'The pi harness could not run.',
  webbrain_failed: 'The webbrain driver exited with an error.',
  stop_requested: 'A stop was requested before any request was intercepted.',
  mock_api_failed: 'The mock API of the extension harness did not start.',
  bridge_failed: 'The bridge of the extension harness did not start.',
  chrome_auth_missing: 'The extension harness had no authorization.',
  missing_harness: 'The image has no executable harness script.',
  browser_runtime_setup_failed: 'The browser could not be set up.',
  unknown: 'The run ended without a stop reason.',
} as const;

export type StopReason = keyof typeof STOP_DESCRIPTIONS;

/** One sentence for a stop reason; a word of another harness gets a general sentence. */
export function describeStop(reason: string): string {
  return Object.hasOwn(STOP_DESCRIPTIONS, reason)
    ? STOP_DESCRIPTIONS[reason as StopReason]
    : `The run stopped for an unknown reason: ${reason.slice(0, 100)}.`;
}

/** Stop reasons that upstream counts as infrastructure. */
export const INFRASTRUCTURE_STOPS: ReadonlySet<string> = new Set([
  'chrome_cdp_timeout',
  'gateway_failed',
  'opencode_failed',
  'claude_code_failed',
  'codex_failed',
  'browser_use_failed',
  'hermes_failed',
  'pi_failed',
  'webbrain_failed',
  'proxy_failed',
  'missing_harness',
]);

/** The word that a harness wrote to `.stop-reason`, sanitized: one word of at most 64 characters, or `unknown`. */
export function readStopReason(file: string | null | undefined): string {
  const word = (file ?? '').trim().split(/\s/, 1)[0] ?? '';
  return /^[A-Za-z0-9_.-]{1,64}$/.test(word) ? word : 'unknown';
}
