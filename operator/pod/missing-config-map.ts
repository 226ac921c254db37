import type { KubeClient } from '../../kube/client.ts';
import { CONFIG_MAPS, type Pod } from '../../kube/kinds.ts';
import type { Live } from '../../kube/object.ts';
import { resource } from '../../kube/resource.ts';
import { parseTime } from '../timestamps.ts';

/** A ConfigMap that a pod cannot start without and that does not exist. */
export interface MissingConfigMap {
  readonly name: string;
  readonly message: string;
}

export interface ConfigMapCheck {
  /** The ConfigMap that the pod waits for; null: it does not wait for one, as far as can be seen. */
  missing(pod: Live<Pod>): Promise<MissingConfigMap | null>;
}

/** A pod that starts normally has its volumes by then. */
const MOUNT_GRACE_MS = 10_000;
/** A thousand pods that pull an image at the same time ask for one ConfigMap, which may have a megabyte. */
const CACHE_TTL_MS = 10_000;
/**
 * How often to re-check a pod that waits for its volumes: the kubelet does not report when a ConfigMap appears or is
 * deleted.
 */
export const MOUNT_RECHECK_MS = 15_000;

/**
 * The kubelet reports a volume that it cannot mount only in an Event, which the operator may not read; the pod's status
 * stays `ContainerCreating`. So the operator looks for the ConfigMaps. Secrets need no check (and must not be read):
 * they are variables, whose absence is in the status, or optional mounts, whose reader reports what is missing.
 */
export function createConfigMapCheck(client: KubeClient, now: () => number): ConfigMapCheck {
  const known = new Map<string, { readonly at: number; readonly there: boolean }>();
  const isThere = async (namespace: string, name: string): Promise<boolean> => {
    for (const [key, { at }] of known) if (now() - at >= CACHE_TTL_MS) known.delete(key);
    const key = `${namespace}/${name}`;
    const cached = known.get(key);
    if (cached !== undefined) return cached.there;
    const there = (await resource(client, CONFIG_MAPS, namespace).find(name)) !== null;
    known.set(key, { at: now(), there });
    return there;
  };
  return {
    missing: async (pod) => {
      const { namespace = '' } = pod.metadata;
      for (const { volume, name } of waitsForMounts(pod, now()) ? neededMaps(pod) : []) {
        if (await isThere(namespace, name)) continue;
        const message = `ConfigMap ${name}, which the pod mounts as volume ${volume}, does not exist in namespace ${namespace}; create it again.`;
        return { name, message };
      }
      return null;
    },
  };
}

/** On a node for a while, and no container has run. */
export function waitsForMounts({ metadata, spec, status }: Live<Pod>, now: number): boolean {
  if (spec?.nodeName === undefined || status?.phase !== 'Pending') return false;
  const began = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].some(
    ({ state, lastState }) => state?.waiting === undefined || lastState?.terminated !== undefined,
  );
  return !began && now - (parseTime(metadata.creationTimestamp) ?? now) >= MOUNT_GRACE_MS;
}

function neededMaps({ spec }: Live<Pod>): { readonly volume: string; readonly name: string }[] {
  return (spec?.volumes ?? []).flatMap(({ name: volume, configMap }) =>
    configMap?.name === undefined || configMap.optional === true ? [] : [{ volume, name: configMap.name }],
  );
}
