/**
 * What the demo must come to. replay reaches every task; in two of the eight it submits a wrong value on purpose
 * (a table for two instead of four; a sum with one orchard left out), so that the judge has something to refuse.
 */
export interface Expected {
  readonly runs: number;
  readonly intercepted: number;
  readonly strict: number;
}

export const DEMO_EXPECTATION: Readonly<Record<string, Expected>> = {
  replay: { runs: 8, intercepted: 8, strict: 6 },
  'random-click': { runs: 8, intercepted: 0, strict: 0 },
  null: { runs: 8, intercepted: 0, strict: 0 },
};
