import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { stringifyJson } from '../../benchmark/text/json.ts';
import type { Secrets } from './secrets.ts';

/** `interception.json`: written once, and complete whenever it exists. */
export interface InterceptionFile {
  /** @returns false when it was written before. */
  readonly write: (content: Readonly<Record<string, unknown>>) => boolean;
  /** Writes again what the disk refused. Called before the files are listed. */
  readonly retryWrite: () => void;
  /** Whether the file is on disk. */
  readonly written: boolean;
}

/**
 * The file that decides a run. It is written and synced before the caller continues, because a SIGKILL may follow. Its
 * size is bounded by its content (256 KiB of raw body), so this takes milliseconds.
 */
export function openInterceptionFile(
  path: string,
  secrets: Secrets,
  onError: (error: Error) => void,
): InterceptionFile {
  let unwritten: string | null = null;
  let decided = existsSync(path);
  const save = (text: string): void => {
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
      save(secrets.redact(`${stringifyJson(content, 2)}\n`));
      return true;
    },
    retryWrite: () => {
      if (unwritten !== null) save(unwritten);
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
