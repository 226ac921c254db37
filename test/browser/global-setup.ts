import { join } from 'node:path';
import { ensureBinary } from '../../cli/local/static-binary.ts';

/** Compiles each program once: two test files that did it at the same time would write one file. */
export default async function setup(): Promise<void> {
  const dist = join(import.meta.dirname, '..', '..', 'dist');
  for (const name of ['shim', 'grab', 'listener'] as const) await ensureBinary(join(dist, `clawbench-${name}`), name);
}
