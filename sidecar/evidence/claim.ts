import { z } from 'zod';
import { stringifyJson } from '../../benchmark/json.ts';
import { outcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import { type ObjectStore, StoreConflict } from '../../store/object-store.ts';

/** `<run>/claim.json`: the first attempt to finish. Its outcome stands in it, so that a later attempt can report it. */
const claim = z.object({
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
  const raw = await store.get(claimKey(who));
  return raw === null ? null : judgeClaim(raw, who, store);
}

/** Claims the run for this attempt's outcome (`If-None-Match: *`). Called when evidence is safe, before run-meta. */
export async function claimRun(store: ObjectStore, who: Claimant, outcome: Claim['outcome']): Promise<ClaimResult> {
  const { batchUID, runUID, attempt, generation } = who;
  const mine: Claim = { v: 1, batchUID, runUID, attempt, generation, claimedAt: new Date().toISOString(), outcome };
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

function judgeClaim(raw: Uint8Array, who: Claimant, store: ObjectStore): ClaimResult {
  const found = claim.safeParse(parse(raw));
  const place = store.describe + claimKey(who);
  if (!found.success) return { kind: 'refused', message: `${place} is not a claim of ours: use another prefix.` };
  const { batchUID, attempt } = found.data;
  if (batchUID !== who.batchUID) {
    const message = `${place} belongs to another batch (UID ${batchUID}): use another prefix, or spec.resume.`;
    return { kind: 'refused', message };
  }
  return { kind: attempt === who.attempt ? 'own' : 'adopt', claim: found.data };
}

function parse(raw: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(raw).toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

const RUN_META = /^a\d+\/run-meta\.json$/;

/**
 * Writes `run-meta.json` into the claimed attempt, the last object of a run. An older generation's goes to
 * `superseded-meta.json` beside it first, since every `run-meta.json` below a batch counts as one run. Idempotent: a
 * second call leaves what is there, which by then may hold the judge's verdict.
 * @param runPrefix without trailing slash.
 * @param meta null: the attempt's own `attempt-meta.json` (the repair of an attempt that died after its claim).
 * @throws Error when `meta` is null and the attempt has no `attempt-meta.json`.
 */
export async function writeRunMeta(
  store: ObjectStore,
  runPrefix: string,
  attempt: number,
  meta: Readonly<Record<string, unknown>> | null,
): Promise<void> {
  const own = `a${attempt}/run-meta.json`;
  const body = meta === null ? await attemptMeta(store, `${runPrefix}/a${attempt}/`) : `${stringifyJson(meta, 2)}\n`;
  await supersede(store, runPrefix, own);
  try {
    await store.put(`${runPrefix}/${own}`, body, { ifNoneMatch: '*', contentType: 'application/json' });
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
  }
}

async function attemptMeta(store: ObjectStore, attemptPrefix: string): Promise<Uint8Array> {
  const found = await store.get(`${attemptPrefix}attempt-meta.json`);
  if (!found) throw new Error(`${store.describe}${attemptPrefix}attempt-meta.json is missing`);
  return found;
}

async function supersede(store: ObjectStore, runPrefix: string, own: string): Promise<void> {
  const older: string[] = [];
  for await (const { key } of store.list(`${runPrefix}/a`)) {
    const name = key.slice(runPrefix.length + 1);
    if (RUN_META.test(name) && name !== own) older.push(key);
  }
  for (const key of older) {
    const body = await store.get(key);
    if (body) await store.put(key.replace(/run-meta\.json$/, 'superseded-meta.json'), body);
    await store.delete([key]);
  }
}
