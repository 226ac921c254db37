import type { ClawBenchBatchSpec } from './batch.ts';
import type { ClawBenchRunSpec } from './run.ts';

/**
 * Fields of the schema that this version does not implement. A batch or run that uses one is refused instead of run
 * without it: a score under ignored settings is worse than none. Delete the row when you implement the field.
 */

/** The blocks that either kind may have. */
export type SpecBlocks = Partial<
  Pick<ClawBenchBatchSpec, 'limits' | 'budget' | 'judge' | 'browser' | 'network' | 'retry' | 'queueName'>
> & { readonly rerun?: unknown; readonly resume?: boolean };

interface Row {
  /** Path of the field, for the message. */
  readonly field: string;
  readonly used: (spec: SpecBlocks) => boolean;
  /** What to write instead. */
  readonly remedy: string;
}

const REMOVE = 'remove it';

const ROWS: readonly Row[] = [
  { field: 'spec.limits', used: (spec) => spec.limits !== undefined, remedy: `${REMOVE} and use spec.parallelism` },
  {
    field: 'spec.budget.costUSD',
    used: (spec) => spec.budget?.costUSD !== undefined,
    remedy: `${REMOVE} and use spec.budget.perRunCostUSD`,
  },
  {
    field: 'spec.budget.tokens',
    used: (spec) => spec.budget?.tokens !== undefined,
    remedy: `${REMOVE} and use spec.budget.perRunTokens`,
  },
  { field: 'spec.rerun', used: (spec) => spec.rerun !== undefined, remedy: `${REMOVE} and create a new batch` },
  { field: 'spec.resume', used: (spec) => spec.resume === true, remedy: `${REMOVE} and choose another prefix` },
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
  { field: 'spec.browser.locale', used: (spec) => spec.browser?.locale !== undefined, remedy: REMOVE },
  { field: 'spec.browser.timezone', used: (spec) => spec.browser?.timezone !== undefined, remedy: REMOVE },
  { field: 'spec.browser.profile', used: (spec) => spec.browser?.profile !== undefined, remedy: REMOVE },
  { field: 'spec.browser.extensions', used: (spec) => spec.browser?.extensions !== undefined, remedy: REMOVE },
  { field: 'spec.browser.remote', used: (spec) => spec.browser?.remote !== undefined, remedy: REMOVE },
  {
    field: 'spec.network.upstreamProxySecretRef',
    used: (spec) => spec.network?.upstreamProxySecretRef !== undefined,
    remedy: REMOVE,
  },
  {
    field: 'spec.network.httpProxySecretRef',
    used: (spec) => spec.network?.httpProxySecretRef !== undefined,
    remedy: REMOVE,
  },
  {
    field: 'spec.network.caBundleConfigMapRef',
    used: (spec) => spec.network?.caBundleConfigMapRef !== undefined,
    remedy: REMOVE,
  },
];

/**
 * One message per unsupported field that the spec uses, in the order of the table; empty if there is none. Used in the
 * condition `Accepted=False` with reason `UnsupportedField`.
 */
export const unsupportedFields = (spec: ClawBenchBatchSpec | ClawBenchRunSpec): string[] =>
  ROWS.filter((row) => row.used(spec as SpecBlocks)).map(
    (row) => `${row.field} is not supported in this version; ${row.remedy}.`,
  );
