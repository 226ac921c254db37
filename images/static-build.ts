import { join } from 'node:path';
import { run } from '../test/cluster/run-command.ts';

/**
 * The programs in Go, with the folder of their source: the shim must run in any harness image, clawbench-grab processes
 * every pixel of a screen, and Node cannot receive a file descriptor from another container.
 */
const SOURCES = { 'clawbench-shim': 'shim', 'clawbench-grab': 'grab', 'clawbench-listener': 'listener' } as const;
export type StaticProgram = keyof typeof SOURCES;

/** Compiles a static program into dist/ (about a second). With `-trimpath`, the same source always gives the same bytes. */
export async function buildStatic(root: string, name: StaticProgram): Promise<string> {
  const binary = join(root, 'dist', name);
  const args = ['build', '-trimpath', '-ldflags', '-s -w', '-o', binary, '.'];
  await run('go', args, { cwd: join(root, 'images', SOURCES[name]), env: { CGO_ENABLED: '0' }, limitMs: 300_000 });
  return binary;
}
