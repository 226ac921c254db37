import { gatewayConfig } from '../../benchmark/protocol/model-gateway.ts';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import { usesModel } from '../harnesses.ts';
import type { PodModels } from '../pod/models-sidecar.ts';
import { capsLeft } from './caps.ts';

/** Settings of the model gateway in the run's next Pod; null: its harness calls no model. */
export function podModels(run: Pick<Run, 'spec' | 'status'>, { spec }: Pick<Batch, 'spec'>): PodModels | null {
  const { secretRef } = spec.models;
  if (!usesModel(run.spec.harness) || secretRef === undefined) return null;
  const { harness, model } = run.spec;
  const caps = capsLeft(spec.budget, run.status?.usage);
  return {
    secret: secretRef.name,
    config: gatewayConfig.parse({ harness: harness.name, model, modelsKey: secretRef.key, caps }),
  };
}
