/** Why an agent was stopped, in upstream's words, each with our sentence for `interception.json`. */
const STOP_DESCRIPTIONS = {
  eval_matched: 'The terminal request was caught and blocked.',
  agent_idle: 'The agent caused no browser action for the idle limit.',
  agent_exited: 'The agent ended by itself before the terminal request was seen.',
  time_limit_exceeded: 'The time limit of the task was reached.',
  vnc_disconnected: 'The person at the browser disconnected.',
  chrome_cdp_timeout: 'The browser did not answer on its DevTools port in time.',
  proxy_failed: 'The model proxy of the harness did not start.',
  gateway_failed: 'The gateway of the harness did not start.',
  hermes_failed: 'The hermes harness ended during its start.',
  opencode_failed: 'The opencode harness could not run.',
  claude_code_failed: 'The claude-code harness could not run.',
  codex_failed: 'The codex harness could not run.',
  browser_use_failed: 'The browser-use harness could not run.',
  pi_failed: 'The pi harness could not run.',
  webbrain_failed: 'The webbrain driver ended with an error.',
  stop_requested: 'A stop was asked for, and nothing had been intercepted.',
  mock_api_failed: 'The local stand-in of the extension harness did not start.',
  bridge_failed: 'The bridge of the extension harness did not start.',
  chrome_auth_missing: 'The extension harness had no authorisation.',
  missing_harness: 'The image holds no executable harness script.',
  browser_runtime_setup_failed: 'The browser could not be set up.',
  unknown: 'The run ended without leaving a stop reason.',
} as const;

export type StopReason = keyof typeof STOP_DESCRIPTIONS;

/** One sentence for a stop reason; words of other harnesses get a general one. */
export function describeStop(reason: string): string {
  return Object.hasOwn(STOP_DESCRIPTIONS, reason)
    ? STOP_DESCRIPTIONS[reason as StopReason]
    : `The run stopped for a reason that is not listed: ${reason.slice(0, 100)}.`;
}

/** Reasons that upstream counts as infrastructure. */
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

/** The word a harness left in `.stop-reason`, made safe: one word of at most 64 characters, or `unknown`. */
export function readStopReason(file: string | null | undefined): string {
  const word = (file ?? '').trim().split(/\s/, 1)[0] ?? '';
  return /^[A-Za-z0-9_.-]{1,64}$/.test(word) ? word : 'unknown';
}
