import type { Command } from 'commander';
import { BadInput, type LocalOptions } from './options.ts';
import { watchParent } from './parent-watch.ts';
import { createReport } from './report.ts';
import { runSession } from './session.ts';

/** Adds `local` to the command line (interfaces.md section 3). */
export function addLocalCommand(program: Command): void {
  const collect = (value: string, all: readonly string[]): readonly string[] => [...all, value];
  program
    .command('local')
    .description('one task without a cluster: recorder and browser as processes, ended as a Pod ends')
    .requiredOption('--task <path>', 'folder with task.json, or a flat task file')
    .requiredOption('--out <dir>', 'where the bundle goes')
    .option('--harness <command>', 'command that drives the browser; without it a person or any DevTools client does')
    .option('--headless', 'no screen, and so no video')
    .option('--allow <host:port>', 'private address that the browser may reach (repeatable)', collect, [])
    .option('--map <host=addr:port>', 'answer for HOST at another address (repeatable)', collect, [])
    .option('--time-limit <seconds>', "instead of the task's own")
    .option('--no-record', 'no video')
    .option('--json', 'one JSON object per event on stdout, logs on stderr')
    .action(async (options: LocalOptions) => {
      process.exitCode = await local(options);
    });
}

async function local(options: LocalOptions): Promise<number> {
  const ended = new AbortController();
  const end = (): void => {
    ended.abort();
  };
  process.on('SIGINT', end).on('SIGTERM', end).on('SIGHUP', end);
  const unwatch = watchParent(end);
  try {
    return await runSession(options, createReport(options.json === true), ended.signal);
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    process.stderr.write(`clawbench local: ${error.message}\n`);
    return 2;
  } finally {
    unwatch();
  }
}
