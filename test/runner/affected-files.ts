import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Suite } from './suites.ts';

/** What `--changed` adds to a vitest command: only test files that import, however indirectly, what has changed. */
export function changedArguments(since: string | null): string[] {
  return since === null ? ['--changed'] : ['--changed', since];
}

/** How many test files of a suite a change affects. @throws Error of `vitest list`, for example for an unknown commit */
export async function countAffected(suite: Suite, since: string | null): Promise<number> {
  const projects = (suite.projects ?? []).flatMap((name) => ['--project', name]);
  const args = ['list', '--filesOnly', '--json', ...projects, ...changedArguments(since)];
  const { stdout } = await promisify(execFile)('vitest', args, { maxBuffer: 16 * 1024 * 1024 });
  return countListed(stdout);
}

/** Entries of the JSON array that `vitest list` prints, after whatever else it says; it prints none for no file. */
export function countListed(printed: string): number {
  const start = /^\[\s*[{\]]/m.exec(printed)?.index;
  return start === undefined ? 0 : (JSON.parse(printed.slice(start)) as unknown[]).length;
}
