import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { RUBRICS, type Rubric } from '../../benchmark/judge/rubrics.ts';
import { VERDICT_FILES } from '../../benchmark/judge/verdict-file.ts';
import { META_FILES, readObject } from './confined-files.ts';
import type { JsonRecord } from './fields.ts';
import { summariseRun, type RunSummary } from './run-summary.ts';
import type { RunFiles } from './bundle-outcome.ts';

/** Maximum size of the small files; larger ones are a mistake or an attack. */
const CAP = 8 * 1024 * 1024;
const MAX_DEPTH = 12;
const MAX_FOLDERS = 50_000;
/** Maximum number of runs that are read at the same time. */
const PARALLEL = 16;

export interface FoundRuns {
  /** Sorted by path, which is task order. */
  readonly runs: readonly RunSummary[];
  /** True if some folders were not searched. */
  readonly cut: boolean;
}

/** Every bundle in DIR. Links are not followed, and hidden folders are skipped. */
export async function findRuns(root: string): Promise<FoundRuns> {
  const { bundles, cut } = await findBundles(root);
  const limit = pLimit(PARALLEL);
  const runs = await Promise.all(bundles.map(({ path, counts }) => limit(() => readRunSummary(root, path, counts))));
  return { runs: runs.filter((run) => run !== null), cut };
}

/** Summary of one bundle. @returns null if there is no readable meta file */
export async function readRunSummary(root: string, path: string, counts: boolean): Promise<RunSummary | null> {
  const files = await readRunFiles(root, path, counts);
  return files === null ? null : summariseRun(path, counts, files);
}

/** The small files of a bundle. @returns null if there is no readable meta file */
export async function readRunFiles(root: string, path: string, counts: boolean): Promise<RunFiles | null> {
  const read = (name: string): ReturnType<typeof readObject> => readObject(root, inFolder(path, name), CAP);
  const meta = await read(counts ? 'run-meta.json' : 'attempt-meta.json');
  if (meta === null) return null;
  const parent = path.split('/').slice(0, -1).join('/');
  const claim = path === '' ? null : await readObject(root, inFolder(parent, 'claim.json'), CAP);
  const verdicts: Partial<Record<Rubric, JsonRecord>> = {};
  for (const rubric of RUBRICS) {
    const file = await read(VERDICT_FILES[rubric]);
    if (file !== null) verdicts[rubric] = file;
  }
  return { meta, claim, verdicts };
}

/** Path of a file in the folder of a bundle, which may be DIR itself. */
export function inFolder(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}

interface Bundle {
  readonly path: string;
  readonly counts: boolean;
}

async function findBundles(root: string): Promise<{ bundles: Bundle[]; cut: boolean }> {
  const bundles: Bundle[] = [];
  const waiting = [''];
  let cut = false;
  for (let seen = 0; waiting.length > 0; seen++) {
    const path = waiting.pop() ?? '';
    const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
    const files = new Set(entries.filter((entry) => entry.isFile()).map((entry) => entry.name));
    if (META_FILES.some((name) => files.has(name))) bundles.push({ path, counts: files.has(META_FILES[0]) });
    const inside = entries.filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'data',
    );
    const full = seen + waiting.length + inside.length > MAX_FOLDERS || path.split('/').length > MAX_DEPTH;
    if (full && inside.length > 0) cut = true;
    else waiting.push(...inside.map((entry) => inFolder(path, entry.name)));
  }
  bundles.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { bundles, cut };
}
