/** Kubernetes conditions, as `metav1.Condition` defines them. Pure. */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  /** One CamelCase word. */
  reason: string;
  /** One sentence for people. */
  message: string;
  /** `metadata.generation` that the condition was set for. */
  observedGeneration?: number;
  /** When `status` last changed, RFC 3339. */
  lastTransitionTime: string;
}

/**
 * Adds or replaces the condition of `next.type`. The transition time changes only with the status, not with the reason, so
 * that it shows how long the status has been the same.
 * @returns the same array if nothing changed, so that `===` tells whether a write is needed
 */
export function setCondition(
  conditions: readonly Condition[],
  next: Omit<Condition, 'lastTransitionTime'>,
  now: Date,
): readonly Condition[] {
  const old = findCondition(conditions, next.type);
  if (old === undefined) return [...conditions, { ...next, lastTransitionTime: seconds(now) }];
  const flipped = old.status !== next.status;
  if (!flipped && sameText(old, next)) return conditions;
  const updated = { ...next, lastTransitionTime: flipped ? seconds(now) : old.lastTransitionTime };
  return conditions.map((condition) => (condition.type === next.type ? updated : condition));
}

/** The condition of the type, if there is one. */
export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the condition exists and is True. */
export function isTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

function sameText(old: Condition, next: Omit<Condition, 'lastTransitionTime'>): boolean {
  return (
    old.reason === next.reason && old.message === next.message && old.observedGeneration === next.observedGeneration
  );
}

/** metav1.Time has whole seconds; milliseconds would be dropped by the server and look like a change. */
function seconds(time: Date): string {
  return time.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
