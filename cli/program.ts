import { Command, Option } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OUTPUT_FORMATS } from './output.ts';

/** The bundler replaces the variable with the version of the package; in a clone it is read from package.json. */
function version(): string {
  const bundled = process.env['CLAWBENCH_VERSION'];
  if (bundled !== undefined) return bundled;
  const file = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}

/** The program without its verbs, with the global options. */
export function createProgram(): Command {
  const output = new Option('-o, --output <format>', 'output format').choices(OUTPUT_FORMATS).default('table');
  return new Command('clawbench')
    .description(
      'Work with ClawBench tasks, local runs, verdicts and evidence. Create batches and runs with kubectl apply.',
    )
    .option('-n, --namespace <name>', 'namespace to use; defaults to the namespace of the context')
    .option('--context <name>', 'kubeconfig context to use')
    .addOption(output)
    .version(version(), '-V, --version', 'print the version')
    .addHelpText(
      'after',
      '\nRun it as "npx clawbench" in a clone of the repository. To use it as "kubectl clawbench", link bin/clawbench to a\nfile named kubectl-clawbench in a directory of your PATH.',
    )
    .exitOverride();
}
