import { Command, Option } from 'commander';
import { OUTPUT_FORMATS } from './output.ts';

/** The program without its verbs: what stands before each. */
export function createProgram(): Command {
  const output = new Option('-o, --output <format>', 'how results are printed')
    .choices(OUTPUT_FORMATS)
    .default('table');
  return new Command('clawbench')
    .description('ClawBench on Kubernetes')
    .option('-n, --namespace <name>', 'namespace')
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(output)
    .exitOverride();
}
