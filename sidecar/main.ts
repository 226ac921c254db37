import { writeSync } from 'node:fs';
import { pino } from 'pino';
import { startCapture } from './capture/start.ts';
import { openEvidence } from './evidence/open.ts';
import { startInterception } from './interception/start.ts';
import { startAttempt } from './lifecycle/attempt.ts';
import { ConfigError, readEnvironment, type Environment } from './lifecycle/environment.ts';
import { markRecorderStart } from './lifecycle/marker-files.ts';
import { park } from './lifecycle/restarted-recorder.ts';
import type { SessionEvent } from './lifecycle/session-event.ts';
import { openStore } from '../store/open.ts';

/**
 * The recorder: one attempt's guard, gateway, door, evidence and control API. In a Pod it is a native sidecar and never
 * exits by itself, since kubelet would start another; in a local session it exits when the attempt is over.
 * It runs the attempt that CLAWBENCH_RUN describes.
 */

// To stderr and at once: a log that is lost with a killed process is the one that was needed.
const log = pino({ base: null }, pino.destination({ fd: 2, sync: true }));

/** The starter of a local session reads one JSON object a line from this descriptor. */
function sessionChannel(): (event: SessionEvent) => void {
  const fd = Number(process.env['CLAWBENCH_EVENTS_FD'] ?? NaN);
  if (!Number.isInteger(fd)) return () => undefined;
  return (event) => {
    try {
      writeSync(fd, `${JSON.stringify(event)}\n`);
    } catch {
      // the starter died; its end of stdin tells so too
    }
  };
}

/** Resolves at SIGTERM or SIGINT, or when the process that started a local session is gone. Each time it is asked anew. */
function onEnd(environment: Environment, ended: () => void): void {
  process.on('SIGTERM', ended);
  process.on('SIGINT', ended);
  if (!environment.local) return;
  process.stdin.once('end', ended).once('error', ended).resume();
}

async function record(): Promise<void> {
  const environment = readEnvironment(process.env);
  if (markRecorderStart(environment.dirs.run)) {
    const server = await park(environment, log);
    onEnd(environment, () => void server.close().then(() => process.exit(0)));
    return;
  }
  const attempt = await startAttempt({
    environment,
    parts: { startInterception, startCapture, openEvidence, openStore },
    log,
    tell: sessionChannel(),
  });
  let over = false;
  let asked = false;
  const leave = async (): Promise<void> => {
    await attempt.close();
    process.exit(0);
  };
  onEnd(environment, () => {
    asked = true;
    if (over) void leave();
    else attempt.terminate();
  });
  await attempt.outcome;
  over = true;
  if (asked || attempt.nobodyReports()) await leave();
}

try {
  await record();
} catch (error) {
  log.fatal(error instanceof ConfigError ? { message: error.message } : { err: error }, 'recorder failed');
  // Not exitCode: a half-started recorder still holds sockets and timers, and would hang instead of ending.
  process.exit(1);
}
