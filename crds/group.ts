/** Names of the API group and its two kinds. YAML, RBAC, client and command line import them from here. */

export const GROUP = 'claw-bench.com';
export const VERSION = 'v1alpha1';
/** The value of `apiVersion`. */
export const API_VERSION = `${GROUP}/${VERSION}`;
/** `kubectl get clawbench` lists both kinds. */
export const CATEGORY = 'clawbench';

export const BATCH_KIND = 'ClawBenchBatch';
export const BATCH_PLURAL = 'clawbenchbatches';
export const BATCH_SHORT_NAME = 'cbb';

export const RUN_KIND = 'ClawBenchRun';
export const RUN_PLURAL = 'clawbenchruns';
export const RUN_SHORT_NAME = 'cbr';

/** Owns every status field but the two of {@link JUDGE_FIELD_MANAGER}. */
export const OPERATOR_FIELD_MANAGER = 'clawbench-operator';
/** Owns `status.verdicts` and `status.closed` of runs and nothing else. */
export const JUDGE_FIELD_MANAGER = 'clawbench-judge';

/** ServiceAccount and ClusterRole of the batch's `prepare` Job. */
export const PREPARE_IDENTITY = 'clawbench-prepare';
/** ServiceAccount and ClusterRole of the judge Job. */
export const JUDGE_IDENTITY = 'clawbench-judge';

/** A batch's name plus `-` plus 12 hex digits is a run's name; with `-a<attempt>` it still fits a label (63). */
export const MAX_BATCH_NAME = 40;
/** Longest name of a run, standalone or of a batch: `<run>-judge-<n>` must fit in a label. */
export const MAX_RUN_NAME = 53;
