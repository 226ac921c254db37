import type { ControlSurface } from '../control/attempt-control.ts';
import { endFromOutside } from './state-machine/stop-cause.ts';
import type { Context } from './context.ts';
import { recordingBytes, stopRecordingOnce } from './finalise/finalise.ts';

const STOPPED = new Set(['Stopping', 'Finalising', 'Done']);

/** What the control API may do to this attempt. */
export function controlSurface(context: Context): ControlSurface {
  const { loop, now, stop, holdings, metrics, environment } = context;
  const counts = (): { actions: number; screenshots: number; requests: number } =>
    holdings.evidence?.counts ?? { actions: 0, screenshots: 0, requests: 0 };
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
    untilStop: (signal) => stop.wait(signal),
    agentExited: ({ exitCode, startError, terminated }) => {
      loop.dispatch({
        type: 'agentExited',
        at: now(),
        exitCode,
        ...(startError === undefined ? {} : { startError }),
        ...(terminated === true ? { outside: endFromOutside(environment) } : {}),
      });
    },
    finalise: () => {
      // Asked before the agent's end (preStop of a deleted Pod): the attempt is being ended from outside.
      loop.dispatch({ type: 'terminate', at: now(), cause: endFromOutside(environment), now: false });
      return context.outcome.promise;
    },
    stopAsked: () => {
      loop.dispatch({ type: 'stopAsked', at: now() });
    },
    counts,
    stopRecording: () =>
      STOPPED.has(loop.state.phase)
        ? stopRecordingOnce(context, AbortSignal.timeout(15_000))
        : Promise.resolve('running'),
    recordingBytes: () => recordingBytes(context),
    action: (row) => {
      holdings.evidence?.action(row);
      holdings.harnessData?.actionSeen();
      loop.dispatch({ type: 'action', at: now() });
    },
    screenshot: (timestamp, png) => {
      holdings.evidence?.screenshot(timestamp, png);
    },
    metrics: () => {
      metrics.evidenceBytes(holdings.evidence?.counts.bytes ?? 0);
      return metrics.registry.metrics();
    },
  };
}

function armedReason({ loop }: Context): string {
  const { phase, cause } = loop.state;
  if (cause?.kind === 'infrastructure') return `${cause.reason}: ${cause.message}`;
  return phase === 'Setup' ? 'interception is being set up' : `phase ${phase}`;
}
