import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UPSTREAM_PACKAGE } from '../../cli/tasks/read-wheel.ts';
import { run } from './commands.ts';

/**
 * A program of upstream's published package, in a virtual environment of its own outside the checkout; nothing of it is
 * committed. @throws CommandFailed when there is no Python, or the package cannot be fetched.
 */
export async function upstreamProgram(name: string): Promise<string> {
  const cache = process.env['CLAWBENCH_CACHE'] ?? join(homedir(), '.cache/clawbench');
  const venv = join(cache, `upstream-${UPSTREAM_PACKAGE.split('==')[1] ?? ''}`);
  const program = join(venv, 'bin', name);
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  try {
    await run('python3', ['-m', 'venv', venv]);
    await run(join(venv, 'bin/pip'), ['install', '--quiet', UPSTREAM_PACKAGE], { limitMs: 180_000 });
  } catch (error) {
    rmSync(venv, { recursive: true, force: true });
    throw error;
  }
  return program;
}
