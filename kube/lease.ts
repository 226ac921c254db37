import type { Lease } from './kinds.ts';
import type { Live, New } from './object.ts';

/** The rules of a Lease as a lock, as in client-go. Pure; times are milliseconds of a monotonic clock. */

/** The lease last read and when it last changed. Clocks of other machines are never compared with the local one. */
export interface ObservedLease {
  readonly lease: Live<Lease>;
  readonly changedAt: number;
}

/** Combines a new read of the lease with the previous observation. */
export function observeLease(before: ObservedLease | undefined, lease: Live<Lease>, now: number): ObservedLease {
  const same =
    before !== undefined &&
    before.lease.metadata.uid === lease.metadata.uid &&
    before.lease.metadata.resourceVersion === lease.metadata.resourceVersion;
  return { lease, changedAt: same ? before.changedAt : now };
}

/** Whether `identity` may acquire the lease: it is free, held by `identity`, or its holder has not renewed it in time. */
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

/** The lease to create if there is none. */
export function newLease(name: string, claim: LeaseClaim): New<Lease> {
  return { metadata: { name }, spec: { ...held(claim), acquireTime: microTime(claim.date), leaseTransitions: 0 } };
}

/** The lease held by the claimant. Its resourceVersion makes the write fail if another candidate was faster. */
export function claimed(lease: Live<Lease>, claim: LeaseClaim): Live<Lease> {
  const renewal = lease.spec?.holderIdentity === claim.identity;
  const taken = renewal
    ? {}
    : { acquireTime: microTime(claim.date), leaseTransitions: (lease.spec?.leaseTransitions ?? 0) + 1 };
  return { ...lease, spec: { ...lease.spec, ...held(claim), ...taken } };
}

/** The released lease, so that the next candidate does not have to wait until it expires. */
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

/** The API server refuses a metav1.MicroTime without six decimals. */
function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}
