import type { Condition } from '../kube/conditions.ts';

/** The conditions of a status as `kube/conditions.ts` wants them; the schema's type differs in `undefined` only. */
export function conditionsOf(
  status: { readonly conditions?: readonly object[] | undefined } | undefined,
): readonly Condition[] {
  return (status?.conditions ?? []) as readonly Condition[];
}
