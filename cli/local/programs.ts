import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of the programs of a session: sources in a clone, bundles in an installed package. */
export interface Programs {
  readonly node: string;
  readonly recorder: string;
  readonly browser: string;
  readonly shim: string;
  readonly grab: string;
  readonly listener: string;
}

export function findPrograms(): Programs {
  const here = import.meta.dirname;
  const clone = join(here, '..', '..');
  const fromSource = existsSync(join(clone, 'sidecar', 'main.ts'));
  // In a package, this file is part of a bundle in dist/, next to the other programs.
  const dist = fromSource ? join(clone, 'dist') : here;
  return {
    node: process.execPath,
    recorder: fromSource ? join(clone, 'sidecar', 'main.ts') : join(dist, 'recorder.js'),
    browser: fromSource
      ? join(clone, 'images', 'browser', 'clawbench-browser')
      : join(dist, 'browser', 'clawbench-browser'),
    shim: join(dist, 'clawbench-shim'),
    grab: join(dist, 'clawbench-grab'),
    listener: join(dist, 'clawbench-listener'),
  };
}
