import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { BadInput } from './options.ts';
import type { Programs } from './places.ts';

/** The shim is the one program that has to be compiled; a checkout builds it once, in about a second. @throws BadInput */
export async function ensureShim(programs: Programs): Promise<string> {
  const source = join(dirname(programs.shim), '..', 'images', 'shim');
  if (existsSync(programs.shim) && !isOlder(programs.shim, source)) return programs.shim;
  await mkdir(dirname(programs.shim), { recursive: true });
  const args = ['build', '-trimpath', '-ldflags', '-s -w', '-o', programs.shim, '.'];
  try {
    await promisify(execFile)('go', args, { cwd: source, env: { ...process.env, CGO_ENABLED: '0' } });
  } catch (error) {
    throw new BadInput(
      `--harness needs the shim, which could not be built: install Go 1.24 or newer (${(error as Error).message})`,
    );
  }
  return programs.shim;
}

/** An installed package has no sources, and nothing to be older than. */
function isOlder(binary: string, source: string): boolean {
  if (!existsSync(source)) return false;
  const built = statSync(binary).mtimeMs;
  return readdirSync(source).some((name) => name.endsWith('.go') && statSync(join(source, name)).mtimeMs > built);
}
