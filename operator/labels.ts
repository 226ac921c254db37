import { labelValue } from '../benchmark/protocol/names.ts';

/**
 * Labels of the objects that the operator creates. A value that Kubernetes would reject is hashed; the full text is in
 * an annotation.
 */
export const BATCH_LABEL = 'claw-bench.com/batch';
export const RUN_LABEL = 'claw-bench.com/run';
export const ATTEMPT_LABEL = 'claw-bench.com/attempt';
/** On a run: its index in the batch's plan. Names are hashes and have no order. */
export const ORDER_ANNOTATION = 'claw-bench.com/order';
export const COMPONENT_LABEL = 'app.kubernetes.io/component';
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
export const OPERATOR_NAME = 'clawbench-operator';

export type ComponentLabelValue = 'run' | 'prepare' | 'judge' | 'identity' | 'sweep';

/** Labels of every object that the operator creates. It watches Pods and Jobs by `managed-by`. */
export function commonLabels(component: ComponentLabelValue, batch: string): Record<string, string> {
  return {
    'app.kubernetes.io/name': 'clawbench',
    'app.kubernetes.io/instance': batch,
    [COMPONENT_LABEL]: component,
    [MANAGED_BY_LABEL]: OPERATOR_NAME,
    [BATCH_LABEL]: batch,
  };
}

export interface RunLabelInput {
  readonly batch: string;
  readonly model: string;
  readonly harness: string;
  readonly task: string;
}

/** Labels of a run and its Pods, and annotations with the full text of the values that were hashed. */
export function runLabels(run: RunLabelInput): { labels: Record<string, string>; annotations: Record<string, string> } {
  const labels = commonLabels('run', run.batch);
  const annotations: Record<string, string> = {};
  for (const key of ['model', 'harness', 'task'] as const) {
    const name = `claw-bench.com/${key}`;
    const value = labelValue(run[key]);
    labels[name] = value;
    if (value !== run[key]) annotations[name] = run[key];
  }
  return { labels, annotations };
}
