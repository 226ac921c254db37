import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureBinaries } from './binaries.ts';
import { components, type ComponentName } from './components.ts';
import { removeContainers } from './containers.ts';
import { noteTables } from './firewall.ts';
import { startProcess, stopProcess, type Recorded } from './host-process.ts';
import { ctr } from './load-archive.ts';
import { raiseNetwork } from './network.ts';
import { configFiles } from './node-config.ts';
import { ensurePackages } from './packages.ts';
import { ensurePauseImage } from './pause-image.ts';
import { ensureKeys } from './pki.ts';
import { activeMarker, REPOSITORY, RUN_DIR, SECCOMP_PROFILE, type Places } from './places.ts';
import { apiIsReady, defaultAccountExists, dnsAnswers, etcdIsHealthy, nodeIsReady, registryAnswers } from './probes.ts';
import { step } from './progress.ts';
import { recordHostFolders } from './host-folders.ts';
import { startS3 } from './s3.ts';
import { noteSysctls } from './sysctls.ts';
import { waitUntil } from './wait-until.ts';

/** The browser's seccomp profile, where `images/browser` keeps it. */
const PROFILE_SOURCE = join(REPOSITORY, 'images/browser/seccomp-browser.json');

/** Seen: 17 s for the API server on a busy machine with two cores. A component that died is noticed at once. */
const LIMIT_MS = 180_000;

async function writeConfig(places: Places): Promise<void> {
  const dirs = [places.conf, places.cni, places.logs, places.state, places.registry, places.scratch, RUN_DIR];
  await Promise.all(dirs.map((dir) => mkdir(dir, { recursive: true, mode: 0o755 })));
  for (const [path, text] of Object.entries(configFiles(places))) await writeFile(path, text);
  // Names of fixture sites belong to the run that added them.
  await writeFile(places.hosts, '');
  await copyFile(join(places.pki, 'admin.kubeconfig'), places.kubeconfig);
  const profile = join(places.kubelet, 'seccomp', SECCOMP_PROFILE);
  await mkdir(dirname(profile), { recursive: true });
  await copyFile(PROFILE_SOURCE, profile);
}

/** A cluster that is starting: every wait watches the components that were started before it. */
class Startup {
  readonly places: Places;
  private readonly signal: AbortSignal;
  private readonly watched: Record<string, Recorded> = {};
  private readonly parts: ReturnType<typeof components>;

  constructor(places: Places, bin: string, signal: AbortSignal) {
    this.places = places;
    this.signal = signal;
    this.parts = components(places, bin);
  }

  async start(...names: ComponentName[]): Promise<void> {
    for (const name of names) this.watched[name] = await startProcess(this.parts[name], this.places.logs);
  }

  async stop(name: ComponentName): Promise<void> {
    delete this.watched[name];
    await stopProcess(name, 10_000);
  }

  until(what: string, check: () => Promise<boolean>): Promise<void> {
    return waitUntil({ what, limitMs: LIMIT_MS, watched: this.watched, signal: this.signal }, check);
  }
}

async function startRuntime(startup: Startup): Promise<void> {
  const answers = async (): Promise<boolean> => (await ctr(['version'], 5_000)) !== '';
  await startup.start('containerd');
  await startup.until('containerd', answers);
  // A reboot leaves containers in its database. Its CRI part has read them already, so it is restarted.
  if ((await removeContainers()) > 0) {
    await startup.stop('containerd');
    await startup.start('containerd');
    await startup.until('containerd', answers);
  }
  await ensurePauseImage();
}

async function startControlPlane(startup: Startup): Promise<void> {
  await startup.start('registry', 'etcd');
  await startup.until('etcd', etcdIsHealthy);
  await startup.start('kube-apiserver');
  await startup.until('the API server', () => apiIsReady(startup.places));
}

async function startNode(startup: Startup): Promise<void> {
  const { places } = startup;
  await startup.start('kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy', 'coredns');
  await startup.until('the node to be Ready', () => nodeIsReady(places));
  await startup.until('cluster DNS', dnsAnswers);
  await startup.until('the registry', registryAnswers);
  await startup.until('the default ServiceAccount', () => defaultAccountExists(places));
}

/** Installs and builds what is missing; changes nothing that `down` would have to undo. */
export async function prepare(): Promise<string> {
  await ensurePackages();
  return ensureBinaries();
}

/**
 * Starts a cluster on a machine that has none (callers tear down first, and hold the lock).
 * An abort of `signal` ends it at the next wait.
 * @throws {ComponentDied | WaitedTooLong} with the end of the log of what failed; the caller tears down
 */
export async function bringUp(places: Places, bin: string, signal: AbortSignal): Promise<void> {
  if (!existsSync(PROFILE_SOURCE)) throw new Error(`${PROFILE_SOURCE} is missing: the checkout is not complete.`);
  await mkdir(dirname(places.dirty), { recursive: true });
  await writeFile(places.dirty, `${process.pid}\n`);
  await Promise.all([noteSysctls(places), noteTables(places), recordHostFolders(places)]);
  await step('keys', () => ensureKeys(places));
  await writeConfig(places);
  await writeFile(activeMarker(), `${places.dir}\n`);
  await step('network', raiseNetwork);
  const startup = new Startup(places, bin, signal);
  await step('containerd', () => startRuntime(startup));
  await step('etcd and API server', () => startControlPlane(startup));
  await step('node', () => startNode(startup));
  await step('S3', () => startS3());
}
