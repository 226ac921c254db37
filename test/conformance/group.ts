import type { ConformanceCase } from './case-file.ts';

/** What a group may look at besides the case. */
export interface ConformanceEnvironment {
  /** The public corpora, or null when they are not beside the case files. */
  readonly corpora: string | null;
}

/**
 * Computes what the product does for a case, in the shape of `expected`; compared as JSON. Throwing fails the case;
 * throwing {@link NotAvailableHere} skips it.
 */
export type ConformanceGroup = (one: ConformanceCase, environment: ConformanceEnvironment) => unknown;

/** The case cannot be tried on this machine; the message says why. */
export class NotAvailableHere extends Error {}
