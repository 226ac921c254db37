import { Command, Option } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OUTPUT_FORMATS } from './output.ts';

/** The bundler puts the package's version in the variable's place; a checkout has the package itself. */
function version(): string {
  const bundled = process.env['CLAWBENCH_VERSION'];
  if (bundled !== undefined) return bundled;
  const file = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}

/** The program without its verbs: what stands before each. */
export function createProgram(): Command {
  const output = new Option('-o, --output <format>', 'how results are printed')
    .choices(OUTPUT_FORMATS)
    .default('table');
  return new Command('clawbench')
    .description('ClawBench on Kubernetes: tasks, local runs, judging and evidence; batches are applied with kubectl')
    .option('-n, --namespace <name>', 'namespace')
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(output)
    .version(version(), '-V, --version', 'print the version')
    .addHelpText(
      'after',
      '\nIn a clone it is called npx clawbench. As a plugin (kubectl clawbench): a link kubectl-clawbench to bin/clawbench on the PATH.',
    )
    .exitOverride();
}
