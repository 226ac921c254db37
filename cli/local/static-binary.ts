import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { BadInput } from './options.ts';

/**
 * Builds one of the three compiled programs if it is missing or older than its source. It takes about a second.
 * @param binary path in dist/
 * @param folder of its source in images/
 * @throws BadInput
 */
export async function ensureBinary(binary: string, folder: 'shim' | 'grab' | 'listener'): Promise<string> {
  const source = join(dirname(binary), '..', 'images', folder);
  if (existsSync(binary) && !isOlder(binary, source)) return binary;
  await mkdir(dirname(binary), { recursive: true });
  const args = ['build', '-trimpath', '-ldflags', '-s -w', '-o', binary, '.'];
  try {
    await promisify(execFile)('go', args, { cwd: source, env: { ...process.env, CGO_ENABLED: '0' } });
  } catch (error) {
    throw new BadInput(`cannot build images/${folder}; install Go 1.24 or newer (${(error as Error).message})`);
  }
  return binary;
}

/** Whether a source file is newer. An installed package has no sources. */
function isOlder(binary: string, source: string): boolean {
  if (!existsSync(source)) return false;
  const built = statSync(binary).mtimeMs;
  return readdirSync(source).some((name) => name.endsWith('.go') && statSync(join(source, name)).mtimeMs > built);
}
