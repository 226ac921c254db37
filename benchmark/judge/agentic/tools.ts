import { isObject, stringifyJson } from '../../text/json.ts';
import { cutChars } from '../user-prompt.ts';
import { alignSteps } from './align.ts';
import { SIDES, type SessionEvidence, type EvidenceRow, type Sessions, type Side } from './evidence.ts';

/** The tools of the agentic rubric; the caller, which has the files, answers `see_screenshot`. */
export const TOOLS = {
  compare_steps: '{"from": 0}: steps of both sessions side by side, aligned, 40 rows from there',
  list_steps: '{"side": "agent" | "reference", "from": 0}: 40 steps with their index',
  read_step: '{"side", "index"}: one step in full',
  list_requests: '{"side", "from": 0, "containing": "text"}: 40 requests with their index; "containing" is optional',
  read_request: '{"side", "index"}: one request in full, with its body',
  list_messages: '{"from": 0}: 20 messages of the agent, each cut',
  read_message: '{"index"}: one message in full',
  read_interception: '{"side"}: the request that was held back, with its body',
  read_meta: '{"side"}: how the session ended, counts, mailbox, what was missing',
  see_screenshot: '{"side", "timestamp"}: the picture taken then; list_steps names the time stamps that have one',
} as const;
export type ToolName = keyof typeof TOOLS;

export interface ToolCall {
  readonly tool: ToolName;
  readonly args: EvidenceRow;
}

const STEPS = 40;
const MESSAGES = 20;
const LINE_CHARS = 260;
const FULL_CHARS = 12_000;

/** The result of a tool call. Never throws: an invalid call returns a message. */
export function answerTool(sessions: Sessions, { tool, args }: ToolCall): string {
  const side = sideOf(args);
  if (side === null) return 'side must be "agent" or "reference"';
  const evidence = sessions[side];
  if (evidence === null) return 'there is no reference session: judge the agent by the instruction alone';
  return ANSWERS[tool](sessions, evidence, args);
}

type Answer = (sessions: Sessions, evidence: SessionEvidence, args: EvidenceRow) => string;

const ANSWERS: Readonly<Record<ToolName, Answer>> = {
  compare_steps: (sessions, _evidence, args) => comparison(sessions, from(args)),
  list_steps: (_sessions, evidence, args) =>
    list(numbered(evidence.steps, args), STEPS, (row) => stepLine(row, evidence)),
  read_step: (_sessions, { steps }, args) => full(steps[index(args)]),
  list_requests: (_sessions, { requests }, args) => {
    const wanted = typeof args['containing'] === 'string' ? args['containing'] : '';
    const found = numbered(requests, args).filter(([, row]) => String(row['url']).includes(wanted));
    return list(found, STEPS, requestLine);
  },
  read_request: (_sessions, { requests }, args) => full(requests[index(args)]),
  list_messages: (_sessions, { messages }, args) =>
    list(numbered(messages, args), MESSAGES, (row) => stringifyJson(row)),
  read_message: (_sessions, { messages }, args) => full(messages[index(args)]),
  read_interception: (_sessions, { interception }) =>
    interception === null ? 'nothing was intercepted in this session' : full(interception),
  read_meta: (_sessions, { meta, recordingBytes }) => full({ ...shownMeta(meta), recording_bytes: recordingBytes }),
  see_screenshot: () => '',
};

/** Rows with their index, from the requested one on. */
function numbered(rows: readonly EvidenceRow[], args: EvidenceRow): [number, EvidenceRow][] {
  return [...rows.entries()].slice(from(args));
}

function list(rows: readonly [number, EvidenceRow][], count: number, line: (row: EvidenceRow) => string): string {
  const shown = rows.slice(0, count).map(([place, row]) => `${String(place)}: ${cutChars(line(row), LINE_CHARS)}`);
  const rest = rows.length - shown.length;
  return [...shown, rest > 0 ? `(${String(rest)} more)` : '(end)'].join('\n');
}

function comparison({ agent, reference }: Sessions, start: number): string {
  if (reference === null) return 'there is no reference session: judge the agent by the instruction alone';
  const rows = alignSteps(agent.steps, reference.steps);
  const shown = rows.slice(start, start + STEPS).map((row, place) => {
    const left = row.agent === null ? '–' : `agent ${String(row.agent)}`;
    const right = row.reference === null ? '–' : `reference ${String(row.reference)}`;
    const step = row.agent === null ? reference.steps[row.reference ?? 0] : agent.steps[row.agent];
    return `${String(start + place)}: ${left} = ${right}: ${cutChars(step === undefined ? '' : bareStep(step), LINE_CHARS)}`;
  });
  return [...shown, `(${String(Math.max(0, rows.length - start - shown.length))} more)`].join('\n');
}

function stepLine(row: EvidenceRow, { screenshots }: SessionEvidence): string {
  const at = Number(row['timestamp']);
  return bareStep(row) + (screenshots.includes(at) ? ` [screenshot ${String(at)}]` : '');
}

function bareStep(row: EvidenceRow): string {
  const target = isObject(row['target']) ? row['target'] : {};
  const element = [target['tagName'], target['id'], target['textContent']].filter(Boolean).join(' ');
  const value = row['value'] ?? row['key'] ?? row['title'];
  return [row['type'], row['url'], element, typeof value === 'string' ? `= ${value}` : ''].filter(Boolean).join(' ');
}

function requestLine(row: EvidenceRow): string {
  return [row['method'], row['url'], row['resource_type'], row['body'] ? 'with a body' : ''].filter(Boolean).join(' ');
}

function full(row: EvidenceRow | undefined): string {
  return row === undefined ? 'there is nothing at that index' : cutChars(stringifyJson(row, 1), FULL_CHARS);
}

/** The task's hidden parts and earlier verdicts would be the answer, not evidence. */
const HIDDEN = new Set(['judge', 'judge_match', 'pass', 'judge_config', 'judge_context', 'model_config']);

function shownMeta(meta: EvidenceRow): EvidenceRow {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !HIDDEN.has(key)));
}

function sideOf(args: EvidenceRow): Side | null {
  const side = args['side'] ?? 'agent';
  return SIDES.find((name) => name === side) ?? null;
}

function index(args: EvidenceRow): number {
  return typeof args['index'] === 'number' ? args['index'] : -1;
}

function from(args: EvidenceRow): number {
  return typeof args['from'] === 'number' ? Math.max(0, Math.trunc(args['from'])) : 0;
}
