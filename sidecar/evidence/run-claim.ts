import { z } from 'zod';
import { outcomeMessage, type OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import { type ObjectStore, StoreConflict } from '../../store/object-store.ts';

/** `<run>/claim.json`: the first attempt to finish. It holds the outcome, so that a later attempt can report it. */
const runClaim = z.object({
  v: z.literal(1),
  batchUID: z.string(),
  runUID: z.string(),
  attempt: z.number().int(),
  generation: z.number().int(),
  claimedAt: z.string(),
  outcome: outcomeMessage,
});
export type RunClaim = z.infer<typeof runClaim>;

/** The run and attempt that claims: the fields of `RunConfig` by the same names. */
export interface Claimant {
  readonly runPrefix: string;
  readonly batchUID: string;
  readonly runUID: string;
  readonly attempt: number;
  readonly generation: number;
}

export type ClaimResult =
  /** Ours, now or since an earlier call: write run-meta. */
  | { readonly kind: 'own'; readonly claim: RunClaim }
  /** Another attempt of the same batch finished before: report its outcome, pay nothing. */
  | { readonly kind: 'adopt'; readonly claim: RunClaim }
  /** The claim is another batch's, or unreadable: the attempt ends as `ClaimedByOther` and writes nothing. */
  | { readonly kind: 'refused'; readonly message: string };

/** Looks at an attempt's start whether the run is finished already; null: it is not. */
export async function findClaim(store: ObjectStore, who: Claimant): Promise<ClaimResult | null> {
  const raw = await store.get(claimKey(who));
  return raw === null ? null : readClaim(raw, who, store);
}

/** Claims the run for this attempt's outcome (`If-None-Match: *`). Called when evidence is safe, before run-meta. */
export async function claimRun(store: ObjectStore, who: Claimant, outcome: OutcomeMessage): Promise<ClaimResult> {
  const { batchUID, runUID, attempt, generation } = who;
  const mine: RunClaim = { v: 1, batchUID, runUID, attempt, generation, claimedAt: new Date().toISOString(), outcome };
  try {
    await store.put(claimKey(who), `${JSON.stringify(mine)}\n`, { ifNoneMatch: '*', contentType: 'application/json' });
    return { kind: 'own', claim: mine };
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
    const found = await findClaim(store, who);
    if (found) return found;
    throw error;
  }
}

/** Generation 1 is `claim.json`, a rerun's is `claim-<g>.json`. */
function claimKey(who: Claimant): string {
  return `${who.runPrefix}/${who.generation === 1 ? 'claim.json' : `claim-${who.generation}.json`}`;
}

function readClaim(raw: Uint8Array, who: Claimant, store: ObjectStore): ClaimResult {
  const found = runClaim.safeParse(parse(raw));
  const place = store.describe + claimKey(who);
  if (!found.success)
    return { kind: 'refused', message: `${place} is not a claim of this program; use another prefix.` };
  const { batchUID, runUID, attempt } = found.data;
  if (batchUID !== who.batchUID) {
    const message = `${place} belongs to another batch (UID ${batchUID}); use another prefix.`;
    return { kind: 'refused', message };
  }
  // A run that was deleted and created again under the same name counts its attempts from 1 as well.
  const isOwn = runUID === who.runUID && attempt === who.attempt;
  return { kind: isOwn ? 'own' : 'adopt', claim: found.data };
}

/** Another attempt's outcome as this attempt's report: nothing is paid twice. */
export function adoptedOutcome(claim: Pick<RunClaim, 'attempt' | 'outcome'>, attempt: number): OutcomeMessage {
  return { ...claim.outcome, attempt, claimedByAttempt: claim.attempt };
}

function parse(raw: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(raw).toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
