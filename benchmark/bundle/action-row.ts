import { isObject } from '../text/json.ts';

/**
 * A row of `actions.jsonl`. It comes from page script, which is untrusted: any page can call the binding. Upstream crashes on
 * `"[]"` and on rows without `type`, and writes files to any path in `timestamp`. The row returned here has only upstream's
 * fields, with their types and lengths.
 */
export interface ActionRow {
  readonly type: string;
  /** Integer milliseconds since the epoch, page clock, within {@link TIMESTAMP_LIMITS}. */
  readonly timestamp: number;
  readonly url: string;
  readonly title?: string;
  readonly target?: ActionTarget;
  readonly x?: number;
  readonly y?: number;
  readonly key?: string;
  readonly value?: string;
  readonly scrollX?: number;
  readonly scrollY?: number;
}

interface ActionTarget {
  readonly tagName: string;
  readonly id: string;
  readonly className: string;
  readonly textContent: string;
  readonly xpath: string;
}

/** 2000-01-01 to 2100-01-01: a page's clock may be wrong, but the screenshot's path must be valid. */
export const TIMESTAMP_LIMITS = { min: 946_684_800_000, max: 4_102_444_800_000 } as const;
/** Longest binding payload that is parsed, in UTF-16 units; ours are below 4 KB. */
export const MAX_PAYLOAD = 64 * 1024;
const TYPES: ReadonlySet<string> = new Set([
  'click',
  'keydown',
  'keyup',
  'input',
  'scroll',
  'change',
  'submit',
  'pageLoad',
]);
const CAPS = { url: 4096, title: 500, text: 100, attribute: 500, xpath: 2000, key: 64, value: 200 } as const;

/**
 * The row in a binding's payload; null when the payload is not a valid row.
 * @param now the recorder's clock in milliseconds: replaces a timestamp that is not an integer within the limits.
 */
export function readActionRow(payload: unknown, now: number): ActionRow | null {
  const row = typeof payload === 'string' ? parse(payload) : payload;
  if (!isObject(row) || typeof row['type'] !== 'string' || !TYPES.has(row['type'])) return null;
  const base = { type: row['type'], timestamp: timestamp(row['timestamp'], now), url: text(row['url'], CAPS.url) };
  if (row['type'] === 'pageLoad') return { ...base, title: text(row['title'], CAPS.title) };
  return {
    ...base,
    target: target(row['target']),
    ...numbers(row, ['x', 'y']),
    ...optionalText(row, 'key', CAPS.key),
    ...optionalText(row, 'value', CAPS.value),
    ...numbers(row, ['scrollX', 'scrollY']),
  };
}

function parse(payload: string): unknown {
  if (payload.length > MAX_PAYLOAD) return null;
  try {
    return JSON.parse(payload) as unknown;
  } catch {
    return null;
  }
}

function timestamp(value: unknown, now: number): number {
  const usable =
    Number.isInteger(value) && Number(value) >= TIMESTAMP_LIMITS.min && Number(value) <= TIMESTAMP_LIMITS.max;
  return usable ? Number(value) : Math.trunc(now);
}

function text(value: unknown, cap: number): string {
  return typeof value === 'string' ? value.slice(0, cap).toWellFormed() : '';
}

function optionalText(row: Record<string, unknown>, key: string, cap: number): Record<string, string> {
  return typeof row[key] === 'string' ? { [key]: text(row[key], cap) } : {};
}

function numbers(row: Record<string, unknown>, keys: readonly string[]): Record<string, number> {
  return Object.fromEntries(keys.filter((key) => Number.isFinite(row[key])).map((key) => [key, Number(row[key])]));
}

function target(value: unknown): ActionTarget {
  const given = isObject(value) ? value : {};
  return {
    tagName: text(given['tagName'], CAPS.text),
    id: text(given['id'], CAPS.attribute),
    className: text(given['className'], CAPS.attribute),
    textContent: text(given['textContent'], CAPS.text),
    xpath: text(given['xpath'], CAPS.xpath),
  };
}
