import type { Lease } from './kinds.ts';
import type { Live, New } from './object.ts';

/** The rules of a Lease as a lock, as client-go plays them. Pure; times are milliseconds of a monotonic clock. */

/** What was last seen, and when it last *changed*: other machines' clocks are never compared with ours. */
export interface ObservedLease {
  readonly lease: Live<Lease>;
  readonly changedAt: number;
}

/** Folds a fresh read into what was seen before. */
export function observeLease(before: ObservedLease | undefined, lease: Live<Lease>, now: number): ObservedLease {
  const same =
    before !== undefined &&
    before.lease.metadata.uid === lease.metadata.uid &&
    before.lease.metadata.resourceVersion === lease.metadata.resourceVersion;
  return { lease, changedAt: same ? before.changedAt : now };
}

/** Whether `identity` may write itself into the lease: it is free, ours already, or its holder was silent too long. */
export function mayTake({ lease, changedAt }: ObservedLease, identity: string, now: number): boolean {
  const holder = lease.spec?.holderIdentity ?? '';
  if (holder === '' || holder === identity) return true;
  return now - changedAt >= (lease.spec?.leaseDurationSeconds ?? 0) * 1000;
}

export interface LeaseClaim {
  readonly identity: string;
  readonly leaseMs: number;
  readonly date: Date;
}

/** The lease to create when there is none. */
export function newLease(name: string, claim: LeaseClaim): New<Lease> {
  return { metadata: { name }, spec: { ...held(claim), acquireTime: microTime(claim.date), leaseTransitions: 0 } };
}

/** The lease with our claim in it; its resourceVersion makes the write fail when somebody was faster. */
export function claimed(lease: Live<Lease>, claim: LeaseClaim): Live<Lease> {
  const renewal = lease.spec?.holderIdentity === claim.identity;
  const taken = renewal
    ? {}
    : { acquireTime: microTime(claim.date), leaseTransitions: (lease.spec?.leaseTransitions ?? 0) + 1 };
  return { ...lease, spec: { ...lease.spec, ...held(claim), ...taken } };
}

/** The lease given back: the next contender need not wait for it to run out. */
export function released(lease: Live<Lease>, date: Date): Live<Lease> {
  return { ...lease, spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: microTime(date) } };
}

function held({ identity, leaseMs, date }: LeaseClaim): NonNullable<Lease['spec']> {
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.max(1, Math.round(leaseMs / 1000)),
    renewTime: microTime(date),
  };
}

/** metav1.MicroTime is refused without its six digits. */
function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}
