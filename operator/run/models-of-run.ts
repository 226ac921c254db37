import { gatewayConfig, type GatewayCaps } from '../../benchmark/protocol/model-gateway.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { ClawBenchBatchSpec } from '../../crds/batch.ts';
import { usesModel } from '../harnesses.ts';
import type { Batch, Run } from '../kinds.ts';
import type { PodModels } from './pod-models.ts';

/** What the model gateway of the run's next Pod is told; null: its harness calls no model. */
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

/** A run's caps hold for all its attempts: a retry gets what is left. */
function capsLeft(budget: ClawBenchBatchSpec['budget'], spent: ClawBenchRunStatus['usage']): GatewayCaps {
  const left = (cap: number | undefined, used: number | null | undefined): number | null =>
    cap === undefined ? null : Math.max(0, cap - (used ?? 0));
  const costUSD = left(budget?.perRunCostUSD, spent?.costUSD);
  return {
    tokens: left(budget?.perRunTokens, spent?.tokens),
    costUSD: costUSD === null ? null : Number(costUSD.toFixed(6)),
    calls: left(budget?.perRunCalls, spent?.apiCalls),
  };
}
