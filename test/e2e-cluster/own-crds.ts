import { kubectl } from './commands.ts';
import { findOtherInstalls, RELEASE } from './other-install.ts';

/** A CRD, as `kubectl get -o json` lists it. */
export interface ListedCrd {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

/** Names of the two CRDs of the chart. */
export const CRD_NAMES = ['clawbenchbatches.claw-bench.com', 'clawbenchruns.claw-bench.com'] as const;

export interface CrdUse {
  readonly crds: readonly ListedCrd[];
  /** Batches and runs in all namespaces. */
  readonly objects: number;
  /** Operators of the chart beside ours, which may have been installed without CRDs of their own. */
  readonly operators: number;
}

/**
 * CRDs to remove after our release. They outlive it with its annotations, which make Helm
 * refuse another release. If objects or another operator exist they stay: deleting a CRD deletes every object of its kind.
 * @param own namespace of our release.
 */
export function removableCrds({ crds, objects, operators }: CrdUse, own: string): readonly string[] {
  if (objects > 0 || operators > 0) return [];
  return crds
    .filter(({ metadata: { annotations = {} } }) => {
      const of = (key: string): string | undefined => annotations[`meta.helm.sh/release-${key}`];
      return of('name') === RELEASE && of('namespace') === own;
    })
    .map(({ metadata }) => metadata.name);
}

/** Removes the CRDs that our uninstalled release has left, unless they are in use. */
export async function removeOwnCrds(own: string): Promise<void> {
  const items = async <T>(args: readonly string[]): Promise<readonly T[]> => {
    const text = await kubectl(['get', ...args, '-o', 'json', '--ignore-not-found']);
    return text.trim() === '' ? [] : (JSON.parse(text) as { items: T[] }).items;
  };
  const listed = await items<ListedCrd>(['crd']);
  const crds = listed.filter(({ metadata }) => (CRD_NAMES as readonly string[]).includes(metadata.name));
  const objects = await Promise.all(crds.map(({ metadata }) => items([metadata.name, '-A'])));
  const operators = await findOtherInstalls(own);
  const removable = removableCrds({ crds, objects: objects.flat().length, operators: operators.length }, own);
  if (removable.length > 0) await kubectl(['delete', 'crd', ...removable, '--ignore-not-found', '--timeout=60s']);
}
