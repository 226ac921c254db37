import type { ConformanceCase } from './case-file.ts';

/** What a group can use besides the case. */
export interface ConformanceEnvironment {
  /** Directory of the public corpora; null when it does not exist next to the case files. */
  readonly corpora: string | null;
}

/**
 * Computes our answer to a case in the form of `expected`; the two are compared as JSON. Throwing fails the case;
 * throwing {@link NotAvailableHere} skips it.
 */
export type ConformanceGroup = (one: ConformanceCase, environment: ConformanceEnvironment) => unknown;

/** The case cannot be run on this machine; the message says why. */
export class NotAvailableHere extends Error {}
