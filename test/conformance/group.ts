import type { ConformanceCase } from './case-file.ts';

/** What a group may look at besides the case. */
export interface Environment {
  /** The public corpora, or null when they are not beside the case files. */
  readonly corpora: string | null;
}

/**
 * Computes what the product does for a case, in the shape of `expected`; compared as JSON. Throwing fails the case;
 * throwing {@link NotHere} skips it.
 */
export type Group = (one: ConformanceCase, environment: Environment) => unknown;

/** The case cannot be tried on this machine; the message says why. */
export class NotHere extends Error {}
