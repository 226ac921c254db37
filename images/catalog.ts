import type { StaticProgram } from './static-build.ts';

/** An image and its parts. `base` is the value of ARG BASE in the Dockerfile. */
export interface ImageSpec {
  readonly name: string;
  /** Folder in images/ with the Dockerfile and the files that it copies, except for programs. */
  readonly folder: string;
  readonly base: 'debian' | 'node';
  /** Bundles in dist/ that the image contains. */
  readonly programs: readonly string[];
  /** Static binaries (static-build.ts) that the image contains. */
  readonly binaries?: readonly StaticProgram[];
  /** Large and rarely changed: loaded into a cluster as one archive. Others use the registry, which transfers only changed layers. */
  readonly big?: boolean;
  /** Only for tests; not part of a release. */
  readonly forTests?: boolean;
}

export const IMAGES: readonly ImageSpec[] = [
  {
    name: 'browser',
    folder: 'browser',
    base: 'debian',
    programs: [],
    binaries: ['clawbench-grab', 'clawbench-listener'],
    big: true,
  },
  {
    name: 'recorder',
    folder: 'recorder',
    base: 'node',
    programs: ['recorder', 'guard', 'models'],
    binaries: ['clawbench-shim', 'clawbench-listener'],
  },
  { name: 'operator', folder: 'operator', base: 'node', programs: ['operator', 'mail'] },
  { name: 'judge', folder: 'judge', base: 'node', programs: ['judge', 'prepare', 'sweep'] },
  { name: 'harness-null', folder: 'harness-null', base: 'node', programs: [] },
  { name: 'harness-random-click', folder: 'harness-random-click', base: 'node', programs: ['random-click'] },
  { name: 'harness-replay', folder: 'harness-replay', base: 'node', programs: ['replay'] },
  { name: 'harness-probe', folder: 'harness-probe', base: 'node', programs: ['probe'], forTests: true },
];

/** Names of all images, including those for tests. */
export const ALL_IMAGES: readonly string[] = IMAGES.map(({ name }) => name);
/** Names of the images of a release. */
export const RELEASE_IMAGES: readonly string[] = IMAGES.filter(({ forTests }) => forTests !== true).map(
  ({ name }) => name,
);
