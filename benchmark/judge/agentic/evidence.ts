import { isObject } from '../../text/json.ts';

/** One session's evidence, agent's or human's, as the evaluator looks it up. Rows are as they lie in the bundle. */
export interface SessionEvidence {
  /** Rows of `actions.jsonl` that are steps of a person or an agent: keys held and pages scrolled past are not. */
  readonly steps: readonly EvidenceRow[];
  /** Rows of `requests.jsonl`. */
  readonly requests: readonly EvidenceRow[];
  /** Rows of `agent-messages.jsonl`; a human session has none. */
  readonly messages: readonly EvidenceRow[];
  /** Time stamps of the screenshots, ascending: milliseconds since the epoch, which is their file name. */
  readonly screenshots: readonly number[];
  /** The caught request, or null. */
  readonly interception: EvidenceRow | null;
  /** Run-meta: instruction, outcome, counts, what was missing. */
  readonly meta: EvidenceRow;
  /** Bytes of `recording.mp4`; 0: none. */
  readonly recordingBytes: number;
}
export type EvidenceRow = Readonly<Record<string, unknown>>;

/** What a verdict can cite. Indexes count from 0, as the tools print them. */
export const CITABLE_KINDS = ['step', 'request', 'message', 'screenshot', 'interception'] as const;
export const SIDES = ['agent', 'reference'] as const;
export type Side = (typeof SIDES)[number];

export interface Citation {
  readonly side: Side;
  readonly kind: (typeof CITABLE_KINDS)[number];
  /** Index of a step, request or message; time stamp of a screenshot; 0 for the interception. */
  readonly index: number;
  /** What it shows, in the judge's words. */
  readonly shows: string;
}

/** The two sessions. */
export interface Sessions {
  readonly agent: SessionEvidence;
  readonly reference: SessionEvidence | null;
}

/** Why a citation cites nothing, in one sentence; null: it is there. */
export function citationProblem(sessions: Sessions, { side, kind, index }: Citation): string | null {
  const evidence = sessions[side];
  const name = `${side} ${kind} ${String(index)}`;
  if (evidence === null) return `${name}: there is no reference session`;
  const isThere = {
    step: index in evidence.steps,
    request: index in evidence.requests,
    message: index in evidence.messages,
    screenshot: evidence.screenshots.includes(index),
    interception: evidence.interception !== null,
  }[kind];
  return isThere ? null : `${name} does not exist`;
}

const NO_STEPS: ReadonlySet<unknown> = new Set(['keyup', 'scroll']);

/** The rows that are steps. A key held in a field is the input's business; Enter and Escape do something themselves. */
export function sessionSteps(actions: readonly EvidenceRow[]): EvidenceRow[] {
  return actions.filter((row) => {
    if (NO_STEPS.has(row['type'])) return false;
    return row['type'] !== 'keydown' || ['Enter', 'Escape', 'Tab'].includes(String(row['key']));
  });
}

/** Rows of a JSON-lines file; what is no object is left out. */
export function parseRows(text: string, parse: (line: string) => unknown): EvidenceRow[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parse)
    .filter(isObject);
}
