import { isObject } from '../../text/json.ts';

/** The evidence of one session, agent or human, that the judge can look up. Rows are those of the bundle. */
export interface SessionEvidence {
  /** Rows of `actions.jsonl` that are steps of a person or an agent; held keys and scrolling are not. */
  readonly steps: readonly EvidenceRow[];
  /** Rows of `requests.jsonl`. */
  readonly requests: readonly EvidenceRow[];
  /** Rows of `agent-messages.jsonl`; a human session has none. */
  readonly messages: readonly EvidenceRow[];
  /** Timestamps of the screenshots in milliseconds since the epoch (their file names), ascending. */
  readonly screenshots: readonly number[];
  /** The intercepted request, or null. */
  readonly interception: EvidenceRow | null;
  /** Run-meta: instruction, outcome, counts, missing files. */
  readonly meta: EvidenceRow;
  /** Bytes of `recording.mp4`; 0: none. */
  readonly recordingBytes: number;
}
export type EvidenceRow = Readonly<Record<string, unknown>>;

/** What a verdict can cite. Indexes start at 0, as the tools print them. */
export const CITABLE_KINDS = ['step', 'request', 'message', 'screenshot', 'interception'] as const;
export const SIDES = ['agent', 'reference'] as const;
export type Side = (typeof SIDES)[number];

export interface Citation {
  readonly side: Side;
  readonly kind: (typeof CITABLE_KINDS)[number];
  /** Index of a step, request or message; timestamp of a screenshot; 0 for the interception. */
  readonly index: number;
  /** The judge's description of what it shows. */
  readonly shows: string;
}

/** The two sessions. */
export interface Sessions {
  readonly agent: SessionEvidence;
  readonly reference: SessionEvidence | null;
}

/** Why a citation is not valid, in one sentence; null: the evidence exists. */
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

/** The rows that are steps. Keys typed into a field are covered by `input` rows; Enter, Escape and Tab act by themselves. */
export function sessionSteps(actions: readonly EvidenceRow[]): EvidenceRow[] {
  return actions.filter((row) => {
    if (NO_STEPS.has(row['type'])) return false;
    return row['type'] !== 'keydown' || ['Enter', 'Escape', 'Tab'].includes(String(row['key']));
  });
}

/** Rows of a JSON Lines file; lines that are not objects are skipped. */
export function parseRows(text: string, parse: (line: string) => unknown): EvidenceRow[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parse)
    .filter(isObject);
}
