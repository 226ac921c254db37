import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { stringifyJson } from '../../benchmark/text/json.ts';
import type { Secrets } from './secrets.ts';

/** `interception.json`, whole or not there, and once. */
export interface InterceptionFile {
  /** @returns false when there was one before. */
  readonly write: (content: Readonly<Record<string, unknown>>) => boolean;
  /** Tries again what the disk refused; before the files are listed. */
  readonly settle: () => void;
  /** Whether the file is on disk. */
  readonly written: boolean;
}

/**
 * The one file that decides a run: written and synced before the caller goes on, in its own turn, because the next
 * thing that happens may be a SIGKILL. Its size is bounded by its maker (256 KiB of raw body), so this takes milliseconds.
 */
export function openInterceptionFile(
  path: string,
  secrets: Secrets,
  onError: (error: Error) => void,
): InterceptionFile {
  let unwritten: string | null = null;
  let decided = existsSync(path);
  const place = (text: string): void => {
    try {
      writeOnce(path, text);
      unwritten = null;
    } catch (error) {
      unwritten = text;
      onError(error as Error);
    }
  };
  return {
    write: (content) => {
      if (decided) return false;
      decided = true;
      place(secrets.redact(`${stringifyJson(content, 2)}\n`));
      return true;
    },
    settle: () => {
      if (unwritten !== null) place(unwritten);
    },
    get written() {
      return decided && unwritten === null;
    },
  };
}

function writeOnce(path: string, text: string): void {
  const temporary = `${path}.unfinished`;
  const file = openSync(temporary, 'w');
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  linkSync(temporary, path);
  rmSync(temporary);
}
