import { writeSync } from 'node:fs';
import { pino } from 'pino';
import { startCapture } from './capture/start.ts';
import { openEvidence } from './evidence/open.ts';
import { startInterception } from './interception/start.ts';
import { startAttempt } from './lifecycle/attempt.ts';
import { ConfigError, readEnvironment, type RecorderEnvironment } from './lifecycle/environment.ts';
import { isRecorderRestart, startRestartedRecorder } from './lifecycle/restarted-recorder.ts';
import type { SessionEvent } from './lifecycle/session-event.ts';
import { openStore } from '../store/open.ts';

/**
 * The recorder: guard, egress gateway, DevTools proxy, evidence and control API of one attempt, the one that
 * CLAWBENCH_RUN describes. In a Pod it is a native sidecar and does not exit by itself, because kubelet would start
 * another; in a local session it exits when the attempt is over.
 */

// Synchronously to stderr, so that the last lines of a killed process are not lost.
const log = pino({ base: null }, pino.destination({ fd: 2, sync: true }));

/** The command that started a local session reads one JSON object per line from this descriptor. */
function sessionChannel(): (event: SessionEvent) => void {
  const fd = Number(process.env['CLAWBENCH_EVENTS_FD'] ?? NaN);
  if (!Number.isInteger(fd)) return () => undefined;
  return (event) => {
    try {
      writeSync(fd, `${JSON.stringify(event)}\n`);
    } catch {
      // The command died; the end of stdin shows that too.
    }
  };
}

/** Calls back at each SIGTERM and SIGINT, and when the process that started a local session has exited. */
function onTermination(environment: RecorderEnvironment, terminate: () => void): void {
  process.on('SIGTERM', terminate);
  process.on('SIGINT', terminate);
  if (!environment.local) return;
  process.stdin.once('end', terminate).once('error', terminate).resume();
}

async function record(): Promise<void> {
  const environment = readEnvironment(process.env);
  if (isRecorderRestart(environment.dirs.run)) {
    const server = await startRestartedRecorder(environment, log);
    onTermination(environment, () => void server.close().then(() => process.exit(0)));
    return;
  }
  const attempt = await startAttempt({
    environment,
    factories: { startInterception, startCapture, openEvidence, openStore },
    log,
    onSessionEvent: sessionChannel(),
  });
  let over = false;
  let terminated = false;
  const exit = async (): Promise<void> => {
    await attempt.close();
    process.exit(0);
  };
  onTermination(environment, () => {
    terminated = true;
    if (over) void exit();
    else attempt.terminate();
  });
  await attempt.outcome;
  over = true;
  if (terminated || attempt.endedUnarmed()) await exit();
}

try {
  await record();
} catch (error) {
  log.fatal(error instanceof ConfigError ? { message: error.message } : { err: error }, 'recorder failed');
  // Not exitCode: a half-started recorder still holds sockets and timers, and would hang instead of exiting.
  process.exit(1);
}
