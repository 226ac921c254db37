import { z } from 'zod';
import { outcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import type { ObjectStore } from '../../store/object-store.ts';

/** `<run>/claim.json`: the first attempt to finish. Its outcome stands in it, so that a later attempt can report it. */
export const claim = z.object({
  v: z.literal(1),
  batchUID: z.string(),
  runUID: z.string(),
  attempt: z.number().int(),
  generation: z.number().int(),
  claimedAt: z.string(),
  outcome: outcomeMessage,
});
export type Claim = z.infer<typeof claim>;

/** Whose run it is: the fields of `RunConfig` by the same names. */
export interface Claimant {
  readonly runPrefix: string;
  readonly batchUID: string;
  readonly runUID: string;
  readonly attempt: number;
  readonly generation: number;
}

export type ClaimResult =
  /** Ours, now or since an earlier call: write run-meta. */
  | { readonly kind: 'own'; readonly claim: Claim }
  /** Another attempt of the same batch finished before: report its outcome, pay nothing. */
  | { readonly kind: 'adopt'; readonly claim: Claim }
  /** Another batch's run lies there (or something unreadable): end as `ClaimedByOther`, write nothing. */
  | { readonly kind: 'refused'; readonly message: string };

/** Asks at an attempt's start whether the run is finished already; null: it is not. */
export async function findClaim(store: ObjectStore, who: Claimant): Promise<ClaimResult | null> {
  return Promise.reject(new Error(`not built yet: ${store.describe}${who.runPrefix}`));
}

/** Claims the run for this attempt's outcome (`If-None-Match: *`). Called when evidence is safe, before run-meta. */
export async function claimRun(store: ObjectStore, who: Claimant, outcome: Claim['outcome']): Promise<ClaimResult> {
  return Promise.reject(new Error(`not built yet: ${store.describe}${who.runPrefix}${outcome.reason}`));
}

/**
 * Writes `run-meta.json` into the claimed attempt, after moving an older generation's to `superseded-meta.json`, so that
 * one run-meta stays per run. Idempotent.
 * @param meta null: the attempt's own `attempt-meta.json` (the repair of an attempt that died after its claim).
 */
export async function writeRunMeta(
  store: ObjectStore,
  runPrefix: string,
  attempt: number,
  meta: Readonly<Record<string, unknown>> | null,
): Promise<void> {
  return Promise.reject(new Error(`not built yet: ${store.describe}${runPrefix}${attempt}${String(meta)}`));
}
