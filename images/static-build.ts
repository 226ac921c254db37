import { join } from 'node:path';
import { run } from '../test/cluster/run-command.ts';

/**
 * The programs that are not TypeScript, by the folder of their source: the shim must run in any harness image, the
 * grabber handles every pixel of a screen, and Node takes no open file from another container.
 */
const SOURCES = { 'clawbench-shim': 'shim', 'clawbench-grab': 'grab', 'clawbench-listener': 'listener' } as const;
export type StaticProgram = keyof typeof SOURCES;

/** Compiles a static program into dist/ (about a second). `-trimpath`: the same source gives the same bytes anywhere. */
export async function buildStatic(root: string, name: StaticProgram): Promise<string> {
  const binary = join(root, 'dist', name);
  const args = ['build', '-trimpath', '-ldflags', '-s -w', '-o', binary, '.'];
  await run('go', args, { cwd: join(root, 'images', SOURCES[name]), env: { CGO_ENABLED: '0' }, limitMs: 300_000 });
  return binary;
}
