import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Where the embedded cluster lives: addresses, ports and directories.
 *
 * Addresses are fixed because there is one cluster per machine, and because they are out of the way of the ranges
 * that other tools choose (kubeadm, k3s, Docker). Run-time state is under /run/cbc, since a Unix socket's path has at
 * most 107 bytes and the data directory may be anywhere.
 */
export const NODE_NAME = 'node-1';
export const NODE_IP = '10.244.77.1';
export const POD_CIDR = '10.244.77.0/24';
export const SERVICE_CIDR = '10.96.77.0/24';
export const SERVICE_IP = '10.96.77.1';
export const SIMULATED_POD_CIDR = '10.245.0.0/16';
export const BRIDGE = 'cbc-br0';
export const API_PORT = 16443;
export const API_SERVER = `https://127.0.0.1:${API_PORT}`;
export const ETCD = 'http://127.0.0.1:23790';
export const ETCD_PEER = 'http://127.0.0.1:23791';
export const REGISTRY = '127.0.0.1:15000';
export const S3_PORT = 17070;
export const RUN_DIR = '/run/cbc';
export const CONTAINERD_SOCKET = `${RUN_DIR}/containerd.sock`;
export const PAUSE_IMAGE = 'localhost/pause:1';
/** Name of the profile below the kubelet's seccomp folder, as a pod's `localhostProfile` spells it. */
export const SECCOMP_PROFILE = 'clawbench-browser.json';

/** The repository's root, from this file's own place. */
export const REPOSITORY = resolve(import.meta.dirname, '../..');

/** Every directory and file of one cluster, below its data directory. */
export interface Places {
  dir: string;
  pki: string;
  conf: string;
  cni: string;
  logs: string;
  state: string;
  kubelet: string;
  kubeletPlugins: string;
  registry: string;
  s3: string;
  s3Credentials: string;
  scratch: string;
  hosts: string;
  kubeconfig: string;
  /** Exists from the first change that `up` makes until `down` has undone all of them. */
  dirty: string;
}

/** All places of the cluster whose data directory is `dir`. */
export function placesIn(dir: string): Places {
  const below = (name: string): string => join(dir, name);
  return {
    dir,
    pki: below('pki'),
    conf: below('conf'),
    cni: below('cni'),
    logs: below('logs'),
    state: below('state'),
    kubelet: below('kubelet'),
    kubeletPlugins: below('kubelet-plugins'),
    registry: below('registry'),
    s3: below('state/s3'),
    s3Credentials: below('s3-credentials.json'),
    scratch: below('scratch'),
    hosts: below('conf/hosts'),
    kubeconfig: below('kubeconfig'),
    dirty: below('state/dirty'),
  };
}

const ACTIVE = `${RUN_DIR}/dir`;

/**
 * The places of this machine's cluster. A running cluster wins over the environment: there is one per machine, and
 * a clone with another `CLAWBENCH_CLUSTER_DIR` must find (and be able to end) the one that runs.
 */
export function clusterPlaces(env: NodeJS.ProcessEnv = process.env): Places {
  if (existsSync(ACTIVE)) return placesIn(readFileSync(ACTIVE, 'utf8').trim());
  return placesIn(resolve(env.CLAWBENCH_CLUSTER_DIR ?? '/var/lib/clawbench-cluster'));
}

/** File that names the running cluster's data directory. */
export function activeMarker(): string {
  return ACTIVE;
}

/** @throws when no embedded cluster was started, with the command that does it */
export function refuseWithoutCluster(): void {
  if (!existsSync(ACTIVE)) throw new Error('The embedded cluster is not up. Start it: npm run cluster -- up');
}

/** Builds and downloads that outlive a checkout, so that other clones reuse them. */
export function cacheDir(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(env.CLAWBENCH_CACHE ?? join(homedir(), '.cache', 'clawbench'));
}
