import type { Live } from '../../kube/object.ts';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import type { Place } from './run-config.ts';

/** A run as the operator works on it. One that was made by hand has a batch of its own making. */
export interface RunContext {
  readonly run: Live<Run>;
  readonly batch: Live<Batch>;
  readonly place: Place;
  /** Makes what a pod needs beside it. */
  readonly beforePod?: () => Promise<void>;
}
