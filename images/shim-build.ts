import { join } from 'node:path';
import { run } from '../test/cluster/run-command.ts';

/** Compiles the static shim into dist/ (about a second). `-trimpath`: the same source gives the same bytes anywhere. */
export async function buildShim(root: string): Promise<void> {
  const args = ['build', '-trimpath', '-ldflags', '-s -w', '-o', join(root, 'dist', 'clawbench-shim'), '.'];
  await run('go', args, { cwd: join(root, 'images', 'shim'), env: { CGO_ENABLED: '0' }, limitMs: 300_000 });
}
