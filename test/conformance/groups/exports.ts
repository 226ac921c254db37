/* eslint-disable @typescript-eslint/no-explicit-any -- the case files have as many shapes as groups */
import { edgebenchStage1 } from '../../../benchmark/export/edgebench-stage1.ts';
import { evidenceSignature } from '../../../benchmark/export/evidence-signature.ts';
import { harborName, sforgeId } from '../../../benchmark/export/task-names.ts';
import { prorlReward } from '../../../benchmark/export/prorl-reward.ts';
import { reproduceSlug } from '../../../benchmark/reproduce/published-rows.ts';
import { compareRows, type ReproducedRow } from '../../../benchmark/reproduce/compare-rows.ts';
import { Command } from 'commander';
import { addRescoreCommand } from '../../../cli/rescore/command.ts';
import type { ConformanceGroup } from '../group.ts';

/** Formats of other programs, and the comparison with published rows. */
export const EXPORT_GROUPS: Readonly<Record<string, ConformanceGroup>> = {
  cli_rescore: ({ input }) => parseRescore(input.argv),
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

/** Our parser's exit code for the arguments, and whether its help names a positional one; what the command then does is not the case's matter. */
async function parseRescore(args: readonly string[]): Promise<unknown> {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addRescoreCommand(program);
  for (const command of program.commands) command.exitOverride().action(() => undefined);
  const refused = await program.parseAsync(['rescore', ...args], { from: 'user' }).then(
    () => false,
    () => true,
  );
  const help = program.commands.map((command) => command.helpInformation()).join('\n');
  return { upstream_exit_code: refused ? 2 : 0, documented: /^Usage: .*(<\S+>|\[(?!options)\S+\])/m.test(help) };
}

function row([intercepted, lenient, strict]: any): ReproducedRow {
  return { intercepted, lenient, strict };
}
