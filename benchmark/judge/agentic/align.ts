import { isObject } from '../../text/json.ts';
import type { EvidenceRow } from './evidence.ts';

/** A step of one session and its counterpart in the other; null: it has none. */
export interface AlignedStep {
  readonly agent: number | null;
  readonly reference: number | null;
}

/** Longer sessions are aligned up to this step: the table grows with the product of the lengths, and a judge reads no more. */
const MOST = 600;

/**
 * Aligns two sessions step by step by the longest common subsequence. Timestamps, positions and query strings differ between
 * any two people; the kind of step, the page and the element do not.
 */
export function alignSteps(agent: readonly EvidenceRow[], reference: readonly EvidenceRow[]): AlignedStep[] {
  const [a, b] = [agent.slice(0, MOST).map(signature), reference.slice(0, MOST).map(signature)];
  const lengths = commonLengths(a, b);
  const at = (i: number, j: number): number => lengths[i * (b.length + 1) + j] ?? 0;
  const rows: AlignedStep[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) rows.push({ agent: i++, reference: j++ });
    else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1)))
      rows.push({ agent: i++, reference: null });
    else rows.push({ agent: null, reference: j++ });
  }
  return rows;
}

/** Lengths of the longest common subsequences of all pairs of suffixes. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [down, right] = [lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0];
      const both = 1 + (lengths[(i + 1) * width + j + 1] ?? 0);
      lengths[i * width + j] = a[i] === b[j] ? both : Math.max(down, right);
    }
  }
  return lengths;
}

function signature(row: EvidenceRow): string {
  const target = isObject(row['target']) ? row['target'] : {};
  const name = (textOf(target['id']) || textOf(target['textContent'])).slice(0, 40);
  return [row['type'], pageOf(row['url']), target['tagName'] ?? '', name].join('|');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Host and path with all numbers replaced by 0: two orders of one shop count as one page. */
function pageOf(url: unknown): string {
  const [path = ''] = String(url).split(/[?#]/, 1);
  return path.replace(/^https?:\/\/(www\.)?/, '').replaceAll(/\d+/g, '0');
}
