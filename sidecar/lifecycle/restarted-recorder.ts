import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { attemptPrefix } from '../../benchmark/protocol/names.ts';
import { outcomeMessage, type OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import { RUN_FILES } from '../../benchmark/protocol/pod-paths.ts';
import { startControl, type ControlServer } from '../control/server.ts';
import type { ControlSurface } from '../control/attempt-control.ts';
import type { Environment } from './environment.ts';
import { LOST_MESSAGE } from './finalise/fallback-outcome.ts';
import { writeTerminationMessage } from './finalise/outcome-file.ts';

/**
 * A recorder that was restarted: interception and evidence died with the first one, so this attempt is over. It does
 * not exit (kubelet would restart it for ever) but answers the shim that the agent must end, and why.
 */
export async function park(environment: Environment, log: Logger): Promise<ControlServer> {
  const message = lostMessage(environment);
  writeTerminationMessage(environment.terminationLog, message);
  log.error({ attempt: environment.run.attempt }, 'restarted: this attempt is over, parking');
  return startControl(
    parkedSurface(message, environment.run.deadlines.agentKillSeconds),
    environment.ports.control,
    log,
  );
}

/** What the first recorder left for this case; it may have died before it could. */
function lostMessage({ dirs, run }: Environment): OutcomeMessage {
  try {
    return outcomeMessage.parse(JSON.parse(readFileSync(join(dirs.task, LOST_MESSAGE), 'utf8')));
  } catch {
    return {
      v: 1,
      attempt: run.attempt,
      outcome: 'Infrastructure',
      reason: 'RecorderRestarted',
      message: 'The recorder died while it was set up.',
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

function parkedSurface(message: OutcomeMessage, killSeconds: number): ControlSurface {
  const nothing = (): void => undefined;
  return {
    armed: () => ({ armed: false, ended: true, reason: `${message.reason}: ${message.message}` }),
    agentStarted: () => false,
    untilStop: () => Promise.resolve({ reason: message.reason, killSeconds }),
    agentExited: nothing,
    finalise: () => Promise.resolve(message),
    stopAsked: nothing,
    counts: () => ({ actions: 0, screenshots: 0, requests: 0 }),
    stopRecording: () => Promise.resolve('unknown'),
    recordingBytes: () => 0,
    action: nothing,
    screenshot: nothing,
    metrics: () => Promise.resolve(''),
  };
}
