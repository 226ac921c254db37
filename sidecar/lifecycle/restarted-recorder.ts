import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { attemptPrefix } from '../../benchmark/protocol/names.ts';
import { outcomeMessage, type OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import { RUN_FILES } from '../../benchmark/protocol/pod-paths.ts';
import { startControl, type ControlServer } from '../control/server.ts';
import type { AttemptControl } from '../control/attempt-control.ts';
import { isFirstStart } from '../first-start.ts';
import type { RecorderEnvironment } from './environment.ts';
import { FALLBACK_OUTCOME_FILE } from './finalise/fallback-outcome.ts';
import { writeTerminationMessage } from './finalise/outcome-file.ts';

/** Whether kubelet restarted the recorder; a marker file in the run's volume then records it. */
export function isRecorderRestart(runDir: string): boolean {
  if (isFirstStart(join(runDir, RUN_FILES.recorderStarted))) return false;
  writeFileSync(join(runDir, RUN_FILES.recorderRestarted), '');
  return true;
}

/**
 * Starts a recorder that kubelet restarted. Interception and evidence died with the first one, so this attempt is over.
 * It does not exit, because kubelet would restart it again and again; it tells the shim to stop the agent, and why.
 */
export async function startRestartedRecorder(environment: RecorderEnvironment, log: Logger): Promise<ControlServer> {
  const message = fallbackOutcome(environment);
  writeTerminationMessage(environment.terminationLog, message);
  log.error({ run: environment.run.run, attempt: environment.run.attempt }, 'recorder restarted: the attempt is over');
  return startControl(
    restartedControl(message, environment.run.deadlines.agentKillSeconds),
    environment.ports.control,
    log,
  );
}

/** What the first recorder stored for this case, unless it died before that. */
function fallbackOutcome({ dirs, run }: RecorderEnvironment): OutcomeMessage {
  try {
    return outcomeMessage.parse(JSON.parse(readFileSync(join(dirs.task, FALLBACK_OUTCOME_FILE), 'utf8')));
  } catch {
    return {
      v: 1,
      attempt: run.attempt,
      outcome: 'Infrastructure',
      reason: 'RecorderRestarted',
      message: 'The recorder died during set-up.',
      stopReason: 'unknown',
      resultCategory: 'infra_failure',
      intercepted: false,
      evidence: existsSync(join(dirs.run, RUN_FILES.armed)) ? 'Partial' : 'None',
      prefix: attemptPrefix(run),
      times: { started: Date.now(), armed: null, agentStarted: null, stopped: null, evidenceSafe: null },
      counts: { actions: 0, requests: 0, screenshots: 0, bytes: 0 },
      usage: { costUSD: null, tokens: 0, apiCalls: 0 },
      isolation: run.browser.isolation,
      agentIsolated: false,
      mailboxRemoved: false,
      claimedByAttempt: null,
    };
  }
}

function restartedControl(message: OutcomeMessage, killSeconds: number): AttemptControl {
  const nothing = (): void => undefined;
  return {
    armed: () => ({ armed: false, ended: true, reason: `${message.reason}: ${message.message}` }),
    agentStarted: () => false,
    waitForStop: () => Promise.resolve({ reason: message.reason, killSeconds }),
    agentExited: nothing,
    finalise: () => Promise.resolve(message),
    stopRequested: nothing,
    counts: () => ({ actions: 0, screenshots: 0, requests: 0 }),
    stopRecording: () => Promise.resolve('unknown'),
    recordingBytes: () => 0,
    action: nothing,
    screenshot: nothing,
    metrics: () => Promise.resolve(''),
  };
}
