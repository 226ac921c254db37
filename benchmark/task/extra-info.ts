import { isObject } from '../text/json.ts';
import { pythonText, pythonDump } from '../text/python-text.ts';

/** A file for the agent, a note, or (with both) a described file. */
export interface ExtraInfo {
  readonly path?: string;
  readonly description: string;
}

export interface ExtraInfoReading {
  readonly entries: readonly ExtraInfo[];
  /** One sentence each; run-meta records them. */
  readonly warnings: readonly string[];
}

const TEXT_KEYS = ['description', 'note', 'content', 'text', 'message', 'value'] as const;
const UNDESCRIBED = 'Additional material for this task.';

/** Reads `extra_info` in any of the forms that tasks use. Never throws. */
export function normalizeExtraInfo(value: unknown): ExtraInfoReading {
  if (value === undefined || value === null) return { entries: [], warnings: [] };
  const entries: ExtraInfo[] = [];
  const warnings: string[] = [];
  for (const item of Array.isArray(value) ? value : [value]) {
    if (isObject(item)) entries.push(readObject(item, warnings));
    else readScalar(item, entries, warnings);
  }
  return { entries, warnings };
}

function readScalar(item: unknown, entries: ExtraInfo[], warnings: string[]): void {
  if (typeof item === 'string') {
    if (item.trim() !== '') entries.push({ description: item.trim() });
  } else if (typeof item === 'number' || typeof item === 'boolean' || typeof item === 'bigint') {
    entries.push({ description: pythonText(item) });
  } else {
    warnings.push(
      `extra_info contains a ${item === null ? 'null' : Array.isArray(item) ? 'list' : typeof item} where a string or an object was expected; it was ignored`,
    );
  }
}

function readObject(item: Record<string, unknown>, warnings: string[]): ExtraInfo {
  const path = item['path'];
  const hasPath = typeof path === 'string' && path.trim() !== '';
  if (path !== undefined && path !== null && typeof path !== 'string')
    warnings.push('extra_info has a path that is not a string; it was ignored');
  const description = describe(item);
  if (hasPath) return { path, description: description ?? UNDESCRIBED };
  return { description: description ?? pythonDump(item) };
}

function describe(item: Record<string, unknown>): string | null {
  for (const key of TEXT_KEYS) {
    const value = item[key];
    if (value === undefined || value === null) continue;
    const text = typeof value === 'string' ? value.trim() : pythonDump(value);
    if (text !== '') return text;
  }
  return null;
}

/** A path outside the task's directory: the run must not start. */
export class ExtraInfoError extends Error {
  readonly path: string;
  constructor(path: string) {
    super(`extra_info path ${JSON.stringify(path)} is outside the task's directory`);
    this.name = 'ExtraInfoError';
    this.path = path;
  }
}

interface ExtraFile {
  /** Base name: its path below `/my-info`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface ExtraFiles {
  readonly files: readonly ExtraFile[];
  readonly warnings: readonly string[];
}

/**
 * The files that `extra_info` names, copied flat by base name as upstream does; a missing file is a warning. Unlike
 * upstream, a file never replaces another file of `/my-info`: the first one is kept and the clash is a warning.
 * @param files the task directory, by relative path; the reader resolves symbolic links, omits those that point outside
 *   and passes their paths in `escaping`.
 * @param taken names already used in `/my-info`.
 * @throws ExtraInfoError for an absolute or escaping path.
 */
export function copyExtraInfo(
  entries: readonly ExtraInfo[],
  files: ReadonlyMap<string, Uint8Array>,
  taken: ReadonlySet<string>,
  escaping: ReadonlySet<string> = new Set(),
): ExtraFiles {
  const copied = new Map<string, Uint8Array>();
  const warnings: string[] = [];
  for (const { path } of entries) {
    if (path === undefined) continue;
    const inside = insidePath(path);
    if (inside === null || escaping.has(inside)) throw new ExtraInfoError(path);
    const name = inside.slice(inside.lastIndexOf('/') + 1);
    const bytes = files.get(inside);
    if (bytes === undefined) warnings.push(`extra_info file ${JSON.stringify(path)} is not in the task's directory`);
    else if (taken.has(name) || copied.has(name))
      warnings.push(`extra_info file ${JSON.stringify(path)} was skipped: ${name} already exists`);
    else copied.set(name, bytes);
  }
  return { files: [...copied].map(([name, bytes]) => ({ name, bytes })), warnings };
}

/** The path below the task directory with `.` and `..` resolved; null when it is outside. */
function insidePath(path: string): string | null {
  if (path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)) return null;
  const parts: string[] = [];
  for (const part of path.split(/[\\/]/)) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  return parts.join('/');
}
