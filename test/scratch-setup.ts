import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * One folder for the temporary files of a run, removed at its end, so that a test that is killed leaves nothing behind.
 * Its name is short: sockets are created below it, and the path of a socket may have 107 bytes.
 */
export default function setup(): () => void {
  const before = process.env['TMPDIR'];
  const scratch = mkdtempSync(join(tmpdir(), 'cbt-'));
  process.env['TMPDIR'] = scratch;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  };
}
