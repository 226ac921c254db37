import type { StaticProgram } from './static-build.ts';

/** What is built, from what. `base` is what the Dockerfile's ARG BASE gets. */
export interface ImageSpec {
  readonly name: string;
  /** Folder below images/ with the Dockerfile and whatever it copies that is not a program. */
  readonly folder: string;
  readonly base: 'debian' | 'node';
  /** Bundles of dist/ that go in. */
  readonly programs: readonly string[];
  /** Static binaries (static-build.ts) that go in. */
  readonly binaries?: readonly StaticProgram[];
  /** Big and rare: travels to a cluster as one archive; the others through the registry, where only a changed layer moves. */
  readonly big?: boolean;
  /** Only for our own tests: no release has it. */
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

/** Names of all, those for tests too. */
export const ALL_IMAGES: readonly string[] = IMAGES.map(({ name }) => name);
/** Names of those that a release has. */
export const RELEASE_IMAGES: readonly string[] = IMAGES.filter(({ forTests }) => forTests !== true).map(
  ({ name }) => name,
);
