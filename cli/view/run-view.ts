import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isAttemptName } from '../../benchmark/protocol/names.ts';
import { openInside, readObject, resolveInside } from './confined-files.ts';
import type { JsonRecord } from './fields.ts';
import { inFolder, readRunFiles } from './find-runs.ts';
import { readJsonl, type JsonlPreview } from './jsonl.ts';
import { summariseRun, type RunSummary } from './run-summary.ts';

/** Maximum number of rows of each file that a page shows. */
export const MAX_SHOWN_ROWS = { actions: 2000, requests: 500, messages: 300 } as const;
const MAX_FILES = 2000;
/** `interception.json` contains the whole body, decoded and raw. */
const INTERCEPTION_CAP = 8 * 1024 * 1024;

/** The data of the page of a run, except for the manifest check, which reads all files and is requested by the page. */
export interface RunView {
  readonly summary: RunSummary;
  readonly meta: JsonRecord;
  readonly interception: JsonRecord | null;
  readonly actions: JsonlPreview;
  readonly requests: JsonlPreview;
  readonly messages: JsonlPreview;
  readonly files: readonly BundleFile[];
  /** Folders of the same run's other attempts. */
  readonly others: readonly string[];
}

export interface BundleFile {
  /** Relative to the bundle, with `/` between names. */
  readonly path: string;
  readonly bytes: number;
}

/** Reads a bundle for its page. @returns null if there is none at this path */
export async function readRunView(root: string, path: string): Promise<RunView | null> {
  const folder = await resolveInside(root, path);
  if (folder === null) return null;
  const counted = await readRunFiles(root, path, true);
  const files = counted ?? (await readRunFiles(root, path, false));
  if (files === null) return null;
  const rows = async (name: keyof typeof MAX_SHOWN_ROWS, file: string): Promise<JsonlPreview> =>
    readJsonl(await openInside(root, inFolder(path, `data/${file}`)), MAX_SHOWN_ROWS[name]);
  return {
    summary: summariseRun(path, counted !== null, files),
    meta: files.meta,
    interception: await readObject(root, inFolder(path, 'data/interception.json'), INTERCEPTION_CAP),
    actions: await rows('actions', 'actions.jsonl'),
    requests: await rows('requests', 'requests.jsonl'),
    messages: await rows('messages', 'agent-messages.jsonl'),
    files: await listFiles(root, path),
    others: await otherAttempts(root, path),
  };
}

async function listFiles(root: string, path: string): Promise<readonly BundleFile[]> {
  const listed: BundleFile[] = [];
  const waiting = [''];
  while (waiting.length > 0 && listed.length < MAX_FILES) {
    const inner = waiting.shift() ?? '';
    const folder = await resolveInside(root, inner === '' ? path : inFolder(path, inner));
    const entries = folder === null ? [] : await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.slice(0, MAX_FILES)) {
      const name = inFolder(inner, entry.name);
      if (entry.isDirectory()) waiting.push(name);
      else if (entry.isFile()) listed.push({ path: name, bytes: await sizeOf(root, inFolder(path, name)) });
    }
  }
  return listed.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function sizeOf(root: string, path: string): Promise<number> {
  const file = await openInside(root, path);
  if (file === null) return 0;
  try {
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

async function otherAttempts(root: string, path: string): Promise<readonly string[]> {
  const names = path.split('/');
  const own = names.pop() ?? '';
  if (!isAttemptName(own)) return [];
  const parent = await resolveInside(root, names.join('/'));
  const entries = parent === null ? [] : await readdir(join(parent), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && isAttemptName(entry.name) && entry.name !== own)
    .map((entry) => [...names, entry.name].join('/'));
}
