import { CommanderError, type Command } from 'commander';
import { enableCompileCache } from 'node:module';
import { CliFailure } from './failure.ts';
import { createProgram } from './program.ts';

/**
 * The command line: `npx clawbench …` and `kubectl clawbench …` run this program. The module of a verb is loaded only
 * when the verb is used, since the Kubernetes and S3 clients add a quarter of a second to the start.
 */
const VERBS: Readonly<Record<string, (program: Command) => Promise<void>>> = {
  local: async (program) => {
    (await import('./local/command.ts')).addLocalCommand(program);
  },
  compare: async (program) => (await import('./compare/command.ts')).addCompareCommand(program),
  models: async (program) => {
    (await import('./models/command.ts')).addModelsCommands(program);
  },
  reproduce: async (program) => (await import('./reproduce/command.ts')).addReproduceCommand(program),
  rescore: async (program) => (await import('./rescore/command.ts')).addRescoreCommand(program),
  tasks: async (program) => {
    (await import('./tasks/command.ts')).addTasksCommands(program);
  },
  view: async (program) => (await import('./view/command.ts')).addViewCommand(program),
};

// Without it, every call compiles its 250 modules again, which takes 0.4 s of CPU.
enableCompileCache();

const USAGE = 2;
const FAILED = 1;

async function main(args: readonly string[]): Promise<void> {
  const program = createProgram();
  const verb = args.find((arg) => Object.hasOwn(VERBS, arg));
  const wanted = verb === undefined ? Object.values(VERBS) : [VERBS[verb]];
  for (const add of wanted) await add?.(program);
  for (const command of program.commands) command.exitOverride();
  await program.parseAsync(args, { from: 'user' });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : USAGE;
  } else {
    process.stderr.write(`clawbench: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof CliFailure ? error.exitCode : FAILED;
  }
}
