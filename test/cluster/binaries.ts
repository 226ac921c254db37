import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from './machine-lock.ts';
import { cacheDir, REPOSITORY } from './places.ts';
import { say, step } from './progress.ts';
import { run, tryRun } from './run-command.ts';

/**
 * All Kubernetes components are one Go program that looks at the name it is started under (cluster/kube/main.go), so
 * they cost one compile and one link. helm, kwok and versitygw share its compiled packages.
 */
const MODULE = join(REPOSITORY, 'test/cluster/kube');
const SOURCES = ['go.mod', 'go.sum', 'main.go'];
const PERSONAS = [
  'coredns',
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-proxy',
  'kube-scheduler',
  'kubectl',
  'kubelet',
] as const;
const TOOLS = ['helm', 'kwok', 'versitygw'] as const;

/** The versions that are reported are set at link time; without them clients that check the version refuse. */
const SYMBOLS = [
  ['k8s.io/component-base/version.gitVersion', 'v1.36.3'],
  ['k8s.io/component-base/version.gitMajor', '1'],
  ['k8s.io/component-base/version.gitMinor', '36'],
  ['helm.sh/helm/v3/internal/version.version', 'v3.21.4'],
  // What `helm template` and `helm lint` take for the cluster's version; else 1.20, which our chart refuses.
  ...['pkg/chartutil', 'pkg/lint/rules'].flatMap((name) => [
    [`helm.sh/helm/v3/${name}.k8sVersionMajor`, '1'],
    [`helm.sh/helm/v3/${name}.k8sVersionMinor`, '36'],
  ]),
];
const LINK = ['-s', '-w', ...SYMBOLS.flatMap(([name, value]) => ['-X', `${name}=${value}`])].join(' ');

/** A cold build is 13 CPU minutes; on two cores at a load of 13, 27 minutes of waiting were seen. */
const BUILD_LIMIT_MS = 75 * 60_000;

/** Key of the build cache: every source of the module, the compiler's version and the linker's flags. */
export function buildKey(sources: readonly string[], goVersion: string): string {
  const hash = createHash('sha256');
  for (const part of [...sources, goVersion, LINK]) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex').slice(0, 16);
}

async function findGo(): Promise<{ program: string; version: string }> {
  for (const program of ['go', '/usr/local/go/bin/go']) {
    const version = await tryRun(program, ['env', 'GOVERSION'], { cwd: MODULE, limitMs: 300_000 });
    if (version !== undefined) return { program, version: version.trim() };
  }
  throw new Error(
    'The embedded cluster is compiled from Go modules and no Go was found (1.26, or 1.21 and later where it may fetch that). Put one on the PATH (or in /usr/local/go), or use a cluster of your own: --context NAME.',
  );
}

/** A line of `go build -v` that names a package it has compiled: a path, and nothing of a message. */
export function isPackage(line: string): boolean {
  return /^[\w.~-]+(\/[\w.~-]+)*$/.test(line);
}

/** Packages that the programs are made of; 0 if Go does not list them. */
async function packageCount(go: string): Promise<number> {
  const listed = await tryRun(go, ['list', '-deps', '.', 'tool'], { cwd: MODULE, limitMs: 300_000, env: NO_CGO });
  return listed === undefined ? 0 : listed.trim().split('\n').length;
}

const NO_CGO = { CGO_ENABLED: '0' };

async function compile(go: string, target: string, report: (howFar: string) => void): Promise<void> {
  report('modules are downloaded first');
  const all = await packageCount(go);
  let compiled = 0;
  const onLine = (line: string): boolean => {
    if (!isPackage(line)) return false;
    report(`${++compiled} of ${all > 0 ? `at most ${all}` : 'some thousand'} packages compiled`);
    return true;
  };
  const fresh = `${target}.${process.pid}`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  try {
    const args = ['build', '-v', '-buildvcs=false', '-trimpath', '-o', `${fresh}/`, '-ldflags', LINK, '.', 'tool'];
    await run(go, args, { cwd: MODULE, env: NO_CGO, limitMs: BUILD_LIMIT_MS, onLine });
    for (const name of PERSONAS) await symlink('kube', join(fresh, name));
    await rename(fresh, target);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/**
 * The directory with all programs, built when no clone on this machine built this version before.
 * @returns a directory with kubectl, helm, kwok, versitygw and the cluster's components
 */
export async function ensureBinaries(): Promise<string> {
  const go = await findGo();
  const key = buildKey(await Promise.all(SOURCES.map((name) => readFile(join(MODULE, name), 'utf8'))), go.version);
  const target = join(cacheDir(), 'kube', key);
  if (existsSync(target)) return target;
  await withLock(`build-${key}`, { doing: 'compiling Kubernetes', waitMs: BUILD_LIMIT_MS }, async () => {
    if (existsSync(target)) return;
    say(
      `  ${PERSONAS.length} components and ${TOOLS.join(', ')}; once per version: 7 minutes on two idle cores, 27 were seen on busy ones; then kept in ${target}`,
    );
    await step('compiling Kubernetes', (report) => compile(go.program, target, report));
  });
  return target;
}
