import type { AttemptControl } from '../control/attempt-control.ts';
import type { Context } from './context.ts';
import { externalStopCause } from './state-machine/stop-cause.ts';

const STOPPED = new Set(['Stopping', 'Finalising', 'Done']);

/** How long `POST /api/stop-recording` waits for the browser container. */
const STOP_RECORDING_MS = 15_000;

/** What the control API may do with this attempt. */
export function attemptControl(context: Context): AttemptControl {
  const { loop, now, agentStop, held, environment, recording } = context;
  const counts = (): { actions: number; screenshots: number; requests: number } =>
    held.evidence?.counts ?? { actions: 0, screenshots: 0, requests: 0 };
  return {
    armed: () => ({
      armed: loop.state.armedAt !== null,
      ended: STOPPED.has(loop.state.phase),
      reason: armedReason(context),
    }),
    agentStarted: () => {
      loop.dispatch({ type: 'agentStarted', at: now() });
      return loop.state.phase === 'Running';
    },
    waitForStop: (signal) => agentStop.wait(signal),
    agentExited: ({ exitCode, startError, terminated }) => {
      loop.dispatch({
        type: 'agentExited',
        at: now(),
        exitCode,
        ...(startError === undefined ? {} : { startError }),
        ...(terminated === true ? { external: externalStopCause(environment) } : {}),
      });
    },
    finalise: () => {
      // Called before the agent's exit (preStop of a deleted Pod): the attempt is being stopped from outside.
      loop.dispatch({ type: 'terminate', at: now(), cause: externalStopCause(environment), podTerminating: false });
      return context.outcome.promise;
    },
    stopRequested: () => {
      loop.dispatch({ type: 'stopRequested', at: now() });
    },
    counts,
    stopRecording: () =>
      STOPPED.has(loop.state.phase)
        ? recording.stop(AbortSignal.timeout(STOP_RECORDING_MS))
        : Promise.resolve('running'),
    recordingBytes: () => recording.bytes,
    action: (row) => {
      held.evidence?.action(row);
      held.harnessData?.actionSeen();
      loop.dispatch({ type: 'action', at: now() });
    },
    screenshot: (timestamp, png) => {
      held.evidence?.screenshot(timestamp, png);
    },
    metrics: () => metricsText(context),
  };
}

/** The recorder's metrics in Prometheus' text format. */
export function metricsText({ metrics, held }: Pick<Context, 'metrics' | 'held'>): Promise<string> {
  metrics.evidenceBytes(held.evidence?.counts.bytes ?? 0);
  return metrics.registry.metrics();
}

function armedReason({ loop }: Context): string {
  const { phase, cause } = loop.state;
  if (cause?.kind === 'infrastructure') return `${cause.reason}: ${cause.message}`;
  return phase === 'Setup' ? 'interception is being set up' : `phase ${phase}`;
}
