import { stringify } from 'yaml';
import {
  BRIDGE,
  CONTAINERD_SOCKET,
  NODE_IP,
  NODE_NAME,
  PAUSE_IMAGE,
  POD_CIDR,
  REGISTRY,
  RUN_DIR,
  type Places,
} from './places.ts';

/**
 * Configuration files of the node's components. Why a value differs from its default:
 * docs of each setting's trap stand beside it; those without a remark only name a place or an address.
 */
export function containerdToml(places: Places): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  const unused = ['btrfs', 'zfs', 'aufs', 'devmapper'].map((name) => `"io.containerd.snapshotter.v1.${name}"`);
  return `version = 2
root = "${places.state}/containerd"
state = "${RUN_DIR}/containerd"
disabled_plugins = [${unused.join(', ')}]
[grpc]
  address = "${CONTAINERD_SOCKET}"
[${cri}]
  # The default image can't be pulled where there is no registry.
  sandbox_image = "${PAUSE_IMAGE}"
  disable_apparmor = true
  # Root without CAP_SYS_RESOURCE can't lower oom_score_adj: every sandbox would die.
  restrict_oom_score_adj = true
  # Below our own directory, so that tear-down knows whose they are even when containerd is gone.
  netns_mounts_under_state_dir = true
  [${cri}.cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${places.cni}"
  [${cri}.containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [${cri}.containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [${cri}.containerd.runtimes.runc.options]
        # Named, since crun (if it is the default) refuses hybrid cgroup mounts.
        BinaryName = "/usr/sbin/runc"
        Root = "${RUN_DIR}/runc"
        SystemdCgroup = false
`;
}

/** The pod network: one bridge, no masquerading (pods don't reach the outside at all). */
function cniList(): string {
  const bridge = {
    type: 'bridge',
    bridge: BRIDGE,
    isGateway: true,
    ipMasq: false,
    hairpinMode: true,
    ipam: {
      type: 'host-local',
      ranges: [[{ subnet: POD_CIDR }]],
      routes: [{ dst: '0.0.0.0/0' }],
      dataDir: `${RUN_DIR}/ipam`,
    },
  };
  const plugins = [bridge, { type: 'portmap', capabilities: { portMappings: true } }];
  return `${JSON.stringify({ cniVersion: '0.4.0', name: 'cbc', plugins }, null, 2)}\n`;
}

/** Kubelet: cgroup v1 and swap are allowed, nothing is evicted or collected on a nearly full disk. */
export function kubeletYaml(places: Places): string {
  return stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    containerRuntimeEndpoint: `unix://${CONTAINERD_SOCKET}`,
    failCgroupV1: false,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: '/',
    failSwapOn: false,
    oomScoreAdj: 0,
    // What a hardened cluster does; Chromium's sandbox behaves otherwise in unconfined pods.
    seccompDefault: true,
    address: NODE_IP,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: `${places.pki}/ca.crt` },
    },
    authorization: { mode: 'Webhook' },
    tlsCertFile: `${places.pki}/kubelet-server.crt`,
    tlsPrivateKeyFile: `${places.pki}/kubelet-server.key`,
    volumePluginDir: places.kubeletPlugins,
    clusterDomain: 'cluster.local',
    clusterDNS: [NODE_IP],
    resolvConf: `${places.conf}/resolv.conf`,
    maxPods: 200,
    podPidsLimit: 2048,
    serializeImagePulls: false,
    registryPullQPS: 0,
    eventRecordQPS: 0,
    kubeAPIQPS: 100,
    kubeAPIBurst: 200,
    syncFrequency: '20s',
    evictionHard: {
      'memory.available': '100Mi',
      'nodefs.available': '1%',
      'imagefs.available': '1%',
      'nodefs.inodesFree': '1%',
    },
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
  });
}

/** kube-proxy: iptables mode; the zeros keep its hands off the machine's conntrack sysctls. */
function proxyYaml(places: Places): string {
  return stringify({
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'iptables',
    clientConnection: { kubeconfig: `${places.pki}/proxy.kubeconfig` },
    hostnameOverride: NODE_NAME,
    clusterCIDR: POD_CIDR,
    healthzBindAddress: '127.0.0.1:10256',
    metricsBindAddress: '127.0.0.1:10249',
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    iptables: { syncPeriod: '30s', minSyncPeriod: '200ms' },
  });
}

/** Cluster DNS as a host process: no Service and no image. Unknown names are NXDOMAIN at once, never a time-out. */
export function corefile(places: Places): string {
  return `.:53 {
    bind ${NODE_IP}
    errors
    hosts ${places.hosts} {
        reload 2s
        ttl 5
        fallthrough
    }
    kubernetes cluster.local in-addr.arpa {
        kubeconfig ${places.pki}/admin.kubeconfig
        pods insecure
        ttl 5
    }
    template ANY ANY . {
        rcode NXDOMAIN
    }
}
`;
}

/** The local registry; deletes are allowed so that tests can clean up. */
function registryYaml(places: Places): string {
  return stringify({
    version: 0.1,
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: places.registry }, delete: { enabled: true } },
    http: { addr: REGISTRY },
  });
}

/** Every configuration file by its path. `hosts` is not among them: it is data, kept over a restart of the tool. */
export function configFiles(places: Places): Record<string, string> {
  return {
    [`${places.conf}/containerd.toml`]: containerdToml(places),
    [`${places.cni}/10-cbc.conflist`]: cniList(),
    [`${places.conf}/kubelet.yaml`]: kubeletYaml(places),
    [`${places.conf}/proxy.yaml`]: proxyYaml(places),
    [`${places.conf}/Corefile`]: corefile(places),
    [`${places.conf}/registry.yaml`]: registryYaml(places),
    [`${places.conf}/resolv.conf`]: `nameserver ${NODE_IP}\n`,
  };
}
