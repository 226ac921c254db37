import { existsSync, readdirSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { killPodProcesses, removePodCgroups } from './cgroups.ts';
import { killShims, removeContainers } from './containers.ts';
import { isAlive, recordedNames, recordedProcess, stopProcess } from './host-process.ts';
import { unmountBelow } from './mounts.ts';
import { dropNetwork } from './network.ts';
import { RUN_DIR, type Places } from './places.ts';
import { say } from './progress.ts';
import { restoreHostFolders } from './host-folders.ts';
import { restoreSysctls } from './sysctls.ts';

/** CNI's own cache of results, whose path its library has no option for. */
const CNI_CACHE = '/var/lib/cni';
/** Kubelet's device manager ignores `--root-dir`. */
const DEVICE_PLUGINS = '/var/lib/kubelet/device-plugins';

async function containerdLives(): Promise<boolean> {
  const containerd = await recordedProcess('containerd');
  return containerd !== undefined && isAlive(containerd);
}

async function removeIfEmpty(dir: string): Promise<void> {
  if (existsSync(dir) && readdirSync(dir).length === 0) await rmdir(dir);
}

/** The cache has a file per sandbox for our network and one, named by the same sandbox, for its loopback. */
export function ourCniResults(files: readonly string[]): string[] {
  const ids = files.map((file) => /^cbc-([0-9a-f]+)-/.exec(file)?.[1]).filter((id) => id !== undefined);
  return files.filter((file) => ids.some((id) => file.startsWith(`cbc-${id}-`) || file === `cni-loopback-${id}-lo`));
}

/** What CNI and kubelet write outside the directories that they are given. */
async function removeStrays(): Promise<void> {
  const results = join(CNI_CACHE, 'results');
  const files = existsSync(results) ? readdirSync(results) : [];
  for (const name of ourCniResults(files)) await rm(join(results, name));
  for (const dir of [results, CNI_CACHE]) await removeIfEmpty(dir);
  // Another Kubernetes can't be the owner: `up` refuses to start beside one.
  await rm(join(DEVICE_PLUGINS, 'kubelet.sock'), { force: true });
  for (const dir of [DEVICE_PLUGINS, dirname(DEVICE_PLUGINS)]) await removeIfEmpty(dir);
}

async function stopEverything(): Promise<void> {
  // Kubelet first and gently: else it restarts what is removed.
  await stopProcess('kubelet', 10_000);
  const others = (await recordedNames()).filter((name) => name !== 'containerd');
  // Their data is thrown away, so there is nothing to save.
  await Promise.all(others.map((name) => stopProcess(name, 0)));
  if (await containerdLives()) {
    await removeContainers().catch((error: unknown) => {
      say(`  containerd did not remove its containers (${(error as Error).message}); ending their processes instead`);
    });
  }
  await stopProcess('containerd', 10_000);
  await killPodProcesses();
  await killShims();
}

/**
 * Ends the cluster and undoes every change to the machine; each part may be missing. Keys, containerd's images and the
 * registry's stay for a warm start; etcd's data and S3's never do.
 * Not locked: callers hold the cluster's lock.
 */
export async function tearDown(places: Places): Promise<void> {
  await stopEverything();
  await unmountBelow([places.dir, RUN_DIR]);
  await removePodCgroups();
  await dropNetwork(places);
  await restoreSysctls(places);
  await removeStrays();
  await restoreHostFolders(places);
  const dropped = [`${places.state}/etcd`, places.s3, places.kubelet, places.kubeletPlugins, places.scratch, RUN_DIR];
  await Promise.all(dropped.map((path) => rm(path, { recursive: true, force: true })));
  await rm(places.dirty, { force: true });
}
