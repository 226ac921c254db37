import { momentAt, numberAt, valueAt } from './fields.ts';
import type { RunView } from './run-view.ts';

/** Time that the recording continues after a match (default of `deadlines.tailSeconds`). */
const TAIL_MS = 2000;

/** Times of a run in milliseconds since the epoch; null if unknown. */
export interface RunTimes {
  /** Origin of the times on the page: the start of the agent, or the first action. */
  readonly start: number | null;
  /** First frame of the recording; null in bundles of upstream and of attempts that died. */
  readonly recordingStart: number | null;
  /** Estimated end of the recording, used if its start is unknown. Accurate to about 2 s on a busy machine. */
  readonly recordingEnd: number | null;
  /** When the terminal request was blocked. */
  readonly intercepted: number | null;
}

/** The times by which actions, requests and video are aligned. */
export function runTimes(view: RunView): RunTimes {
  const { meta, interception, actions } = view;
  const moments = actions.rows.map((row) => momentAt(row, 'timestamp')).filter((at) => at !== null);
  const first = moments[0] ?? null;
  const last = moments.at(-1) ?? null;
  const stopped = momentAt(meta, 'clawbench', 'times', 'stopped');
  const exited = momentAt(meta, 'clawbench', 'times', 'agent_exited');
  const tail = valueAt(meta, 'intercepted') === true ? TAIL_MS : 0;
  const ends = [stopped === null ? null : stopped + tail, exited].filter((at) => at !== null);
  return {
    start: momentAt(meta, 'clawbench', 'times', 'agent_started') ?? first,
    recordingStart: momentAt(meta, 'clawbench', 'times', 'recording_started'),
    recordingEnd: ends.length > 0 ? Math.max(...ends) : last,
    intercepted: secondsAt(interception?.['request']),
  };
}

/** Time of a row of `requests.jsonl`, which is in seconds; all other files use milliseconds. */
export function secondsAt(row: unknown): number | null {
  const seconds = numberAt(row, 'timestamp');
  return seconds === null ? null : momentAt({ at: seconds * 1000 }, 'at');
}

/** `+12.3 s` since the start; empty if either is unknown. */
export function sinceStart(times: RunTimes, at: number | null): string {
  if (at === null || times.start === null) return '';
  const seconds = (at - times.start) / 1000;
  return `${seconds < 0 ? '−' : '+'}${Math.abs(seconds).toFixed(1)} s`;
}
