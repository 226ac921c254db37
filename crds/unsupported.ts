import type { ClawBenchBatchSpec } from './batch.ts';
import type { ClawBenchRunSpec } from './run.ts';

/**
 * Fields that the schema has and this version does not act on. A batch or run that uses one is refused with a sentence
 * rather than run without it: a score taken under ignored settings is worse than none. Whoever builds a field deletes
 * its row; the list is empty when all is built.
 */

/** The blocks of either kind; a run of a batch has none of its own, and a run none of the batch's own fields. */
export type SpecBlocks = Partial<
  Pick<ClawBenchBatchSpec, 'limits' | 'budget' | 'judge' | 'browser' | 'network' | 'retry' | 'queueName'>
> & { readonly rerun?: unknown; readonly resume?: boolean };

interface Row {
  /** Path below the object, for the sentence. */
  readonly field: string;
  readonly used: (spec: SpecBlocks) => boolean;
  /** What to write instead. */
  readonly remedy: string;
}

const LEAVE_OUT = 'leave it out';

const ROWS: readonly Row[] = [
  { field: 'spec.limits', used: (spec) => spec.limits !== undefined, remedy: `${LEAVE_OUT} and use spec.parallelism` },
  {
    field: 'spec.budget.costUSD',
    used: (spec) => spec.budget?.costUSD !== undefined,
    remedy: `${LEAVE_OUT} and use spec.budget.perRunCostUSD`,
  },
  {
    field: 'spec.budget.tokens',
    used: (spec) => spec.budget?.tokens !== undefined,
    remedy: `${LEAVE_OUT} and use spec.budget.perRunTokens`,
  },
  { field: 'spec.rerun', used: (spec) => spec.rerun !== undefined, remedy: `${LEAVE_OUT} and create a new batch` },
  { field: 'spec.resume', used: (spec) => spec.resume === true, remedy: `${LEAVE_OUT} and choose another prefix` },
  { field: 'spec.queueName', used: (spec) => (spec.queueName ?? '') !== '', remedy: 'leave it empty' },
  {
    field: 'spec.retry.rules',
    used: (spec) => (spec.retry?.rules.length ?? 0) > 0,
    remedy: 'leave it empty and use spec.retry.infrastructureLimit',
  },
  {
    field: 'spec.browser.runtime',
    used: (spec) => (spec.browser?.runtime ?? 'Local') !== 'Local',
    remedy: 'use Local',
  },
  { field: 'spec.browser.liveView', used: (spec) => spec.browser?.liveView ?? false, remedy: 'set it to false' },
  { field: 'spec.browser.locale', used: (spec) => spec.browser?.locale !== undefined, remedy: LEAVE_OUT },
  { field: 'spec.browser.timezone', used: (spec) => spec.browser?.timezone !== undefined, remedy: LEAVE_OUT },
  { field: 'spec.browser.profile', used: (spec) => spec.browser?.profile !== undefined, remedy: LEAVE_OUT },
  { field: 'spec.browser.extensions', used: (spec) => spec.browser?.extensions !== undefined, remedy: LEAVE_OUT },
  { field: 'spec.browser.remote', used: (spec) => spec.browser?.remote !== undefined, remedy: LEAVE_OUT },
  {
    field: 'spec.network.upstreamProxySecretRef',
    used: (spec) => spec.network?.upstreamProxySecretRef !== undefined,
    remedy: LEAVE_OUT,
  },
  {
    field: 'spec.network.httpProxySecretRef',
    used: (spec) => spec.network?.httpProxySecretRef !== undefined,
    remedy: LEAVE_OUT,
  },
  {
    field: 'spec.network.caBundleConfigMapRef',
    used: (spec) => spec.network?.caBundleConfigMapRef !== undefined,
    remedy: LEAVE_OUT,
  },
];

/**
 * Sentences about the fields that this version refuses, one per field, in the table's order; empty when all are built.
 * For the condition `Accepted=False` with reason `UnsupportedField`.
 */
export const unsupportedFields = (spec: ClawBenchBatchSpec | ClawBenchRunSpec): string[] =>
  ROWS.filter((row) => row.used(spec as SpecBlocks)).map(
    (row) => `${row.field} is not supported by this version: ${row.remedy}.`,
  );
