import { caseId, caseSuffix } from './case-name.ts';

/** `1-50,86,1065b`: inclusive ranges and single numbers; a number with a letter means exactly that case. */
export type IdSelection = readonly IdTerm[];
type IdTerm =
  { readonly from: number; readonly to: number } | { readonly id: number; /** Empty: any. */ readonly suffix: string };

/** The selection is not valid; the message quotes the part. */
export class SelectionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SelectionError';
  }
}

/** Upstream's `--case-range`: one inclusive range `A-B`; null when it is anything else. */
export function parseRange(text: string): readonly [number, number] | null {
  const found = /^\s*(\d+)\s*-\s*(\d+)\s*$/.exec(text);
  const from = Number(found?.[1]);
  const to = Number(found?.[2]);
  return found !== null && from <= to ? [from, to] : null;
}

/**
 * Reads a comma-separated selection; blank or `*`: everything (null).
 * @throws SelectionError
 */
export function parseIdSelection(text: string): IdSelection | null {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0 || parts.includes('*')) return null;
  return parts.map(parseTerm);
}

function parseTerm(part: string): IdTerm {
  const range = parseRange(part);
  if (range !== null) return { from: range[0], to: range[1] };
  const single = /^(\d+)([a-z]*)$/i.exec(part);
  if (single === null) {
    throw new SelectionError(
      `ids: ${JSON.stringify(part)} is neither a number, a number with a letter, nor a range A-B`,
    );
  }
  return { id: Number(single[1]), suffix: (single[2] ?? '').toLowerCase() };
}

/** Whether a case is selected by its number. `fallbackId` (`metadata.task_id`) is used for names without a number. */
export function isSelectedById(selection: IdSelection, name: string, fallbackId: number | null): boolean {
  const id = caseId(name) ?? fallbackId;
  if (id === null) return false;
  return selection.some((term) => {
    if ('from' in term) return term.from <= id && id <= term.to;
    return term.id === id && (term.suffix === '' || term.suffix === caseSuffix(name));
  });
}
