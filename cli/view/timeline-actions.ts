import { compact } from './format-json.ts';
import { labelAt, momentAt, numberAt, objectAt, shorten, textAt, type JsonRecord } from './fields.ts';

/** One row of the timeline. */
export interface TimelineAction {
  /** Milliseconds since the epoch; null if the row has no time (rows that a harness adds itself). */
  readonly at: number | null;
  readonly type: string;
  readonly what: string;
  readonly url: string;
  /** Name of the screenshot to show: its own or the last one before it; null if there is none. */
  readonly screenshot: string | null;
  /** Whether the screenshot was taken for this action. */
  readonly own: boolean;
}

/** Rows of `actions.jsonl` as actions of the timeline. Consecutive keys become one action. */
export function timelineActions(
  rows: readonly JsonRecord[],
  screenshots: ReadonlySet<string>,
): readonly TimelineAction[] {
  const steps: TimelineAction[] = [];
  let shown: string | null = null;
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as JsonRecord;
    const at = momentAt(row, 'timestamp');
    const name = `${String(at)}.png`;
    const own = at !== null && screenshots.has(name);
    if (own) shown = name;
    const keys = keyRun(rows, index);
    const what = keys.length > 1 ? keysOf(keys) : describe(row);
    const type = keys.length > 1 ? 'keys' : labelAt(row, 'type');
    steps.push({ at, type, what, url: textAt(row, 'url'), screenshot: shown, own });
    index += Math.max(0, keys.length - 1);
  }
  return steps;
}

/** The consecutive key rows that begin here. */
function keyRun(rows: readonly JsonRecord[], start: number): readonly JsonRecord[] {
  const after = rows.findIndex((row, index) => index >= start && !isKey(row));
  return rows.slice(start, after === -1 ? rows.length : after);
}

function isKey(row: JsonRecord): boolean {
  return row['type'] === 'keydown' || row['type'] === 'keyup';
}

function keysOf(rows: readonly JsonRecord[]): string {
  const pressed = rows.filter((row) => row['type'] === 'keydown').map((row) => textAt(row, 'key'));
  return pressed
    .map((key) => (key.length === 1 ? key : ` ${key} `))
    .join('')
    .trim();
}

/** Descriptions by type of row. Other types are written by harnesses. */
const DESCRIBED: Readonly<Record<string, (row: JsonRecord) => string>> = {
  pageLoad: (row) => textAt(row, 'title'),
  scroll: (row) => `to ${numberAt(row, 'scrollX') ?? 0}, ${numberAt(row, 'scrollY') ?? 0}`,
  keydown: (row) => textAt(row, 'key'),
  keyup: (row) => textAt(row, 'key'),
  input: (row) => `${target(row)} = ${quoted(textAt(row, 'value'))}`,
  change: (row) => `${target(row)} = ${quoted(textAt(row, 'value'))}`,
  click: (row) => `${target(row)} ${position(row)}`.trim(),
  submit: target,
};

function describe(row: JsonRecord): string {
  const type = textAt(row, 'type');
  if (Object.hasOwn(DESCRIBED, type)) return DESCRIBED[type]?.(row) ?? '';
  return position(row) || compact(row).slice(0, 300);
}

function position(row: JsonRecord): string {
  const [x, y] = [numberAt(row, 'x'), numberAt(row, 'y')];
  return x === null || y === null ? '' : `at ${x}, ${y}`;
}

function target(row: JsonRecord): string {
  const found = objectAt(row, 'target');
  const id = textAt(found, 'id');
  const name = textAt(found, 'tagName').toLowerCase() + (id === '' ? '' : `#${id}`);
  // The text of a list or form is that of all its elements.
  if (['SELECT', 'FORM', 'BODY', 'HTML'].includes(textAt(found, 'tagName'))) return name;
  const label = textAt(found, 'textContent').replaceAll(/\s+/g, ' ').trim();
  return label === '' ? name : `${name} ${quoted(shorten(label, 60))}`;
}

function quoted(text: string): string {
  return `“${text}”`;
}
