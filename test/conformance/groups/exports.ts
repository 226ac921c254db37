/* eslint-disable @typescript-eslint/no-explicit-any -- the case files have as many shapes as groups */
import { edgebenchStage1 } from '../../../benchmark/export/edgebench-stage1.ts';
import { evidenceSignature } from '../../../benchmark/export/evidence-signature.ts';
import { harborName } from '../../../benchmark/export/harbor-name.ts';
import { prorlReward } from '../../../benchmark/export/prorl-reward.ts';
import { sforgeId } from '../../../benchmark/export/sforge-id.ts';
import { reproduceSlug } from '../../../benchmark/reproduce/slug.ts';
import { compareRows, type ReproducedRow } from '../../../benchmark/reproduce/verdict.ts';
import type { Group } from '../group.ts';

/** What other programs read of ours, and the comparison with published rows. */
export const EXPORT_GROUPS: Readonly<Record<string, Group>> = {
  edgebench_stage1: ({ input }) => ({ match: edgebenchStage1(input.eval_schema, input.request) }),
  evidence_signature: ({ input }) => ({ signature_hex: evidenceSignature(input.secret, input.request) }),
  harbor_name: ({ input }) => ({ name: harborName(input.raw) }),
  prorl_reward: ({ input }) => ({
    reward: prorlReward({ text: input.files['reward.txt'] ?? null, json: input.files['reward.json'] ?? null }),
  }),
  reproduce_slug: ({ input }) => ({ slug: reproduceSlug(input.model) }),
  reproduce_verdict: ({ input }) => ({
    pass: compareRows(row(input.observed), row(input.published), input.tolerance_pp).every((one) => one.within),
  }),
  sforge_id: ({ input }) => ({ id: sforgeId(input.raw) }),
};

function row([intercepted, lenient, strict]: any): ReproducedRow {
  return { intercepted, lenient, strict };
}
