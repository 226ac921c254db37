import { momentAt, numberAt, valueAt } from './fields.ts';
import type { RunView } from './run-view.ts';

/** The recording goes on after a match (`deadlines.tailSeconds`, default). */
const TAIL_MS = 2000;

/** Moments of a run, milliseconds since the epoch; null: unknown. */
export interface RunTimes {
  /** What times on the page count from: the agent's start, else the first action. */
  readonly zero: number | null;
  /** The recording's first frame; null in bundles of others, and of attempts that died. */
  readonly recordingStart: number | null;
  /** When the recording ended, by estimate, for where its beginning is not known. Right to about 2 s on a busy machine. */
  readonly recordingEnd: number | null;
  /** The terminal request was blocked. */
  readonly intercepted: number | null;
}

/** The clock by which actions, requests and the video are set side by side. */
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
    zero: momentAt(meta, 'clawbench', 'times', 'agent_started') ?? first,
    recordingStart: momentAt(meta, 'clawbench', 'times', 'recording_started'),
    recordingEnd: ends.length > 0 ? Math.max(...ends) : last,
    intercepted: secondsAt(interception?.['request']),
  };
}

/** A row of `requests.jsonl` has seconds; everything else has milliseconds. */
export function secondsAt(row: unknown): number | null {
  const seconds = numberAt(row, 'timestamp');
  return seconds === null ? null : momentAt({ at: seconds * 1000 }, 'at');
}

/** `+12.3 s` from the clock's zero; empty when either is unknown. */
export function sinceStart(clock: RunTimes, at: number | null): string {
  if (at === null || clock.zero === null) return '';
  const seconds = (at - clock.zero) / 1000;
  return `${seconds < 0 ? '−' : '+'}${Math.abs(seconds).toFixed(1)} s`;
}
