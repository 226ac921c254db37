import type { Command } from 'commander';
import { startDemo } from './demo.ts';
import { BadInput, type LocalOptions } from './options.ts';
import { watchParent } from './parent-watch.ts';
import { createSessionReport, type SessionReport } from './report.ts';
import { runSession } from './session.ts';

/** Adds `local` to the command line. */
export function addLocalCommand(program: Command): void {
  const collect = (value: string, all: readonly string[]): readonly string[] => [...all, value];
  program
    .command('local')
    .description('one task without a cluster: recorder and browser as processes, ended as a Pod ends')
    .option('--task <path>', 'folder with task.json, or a flat task file (required, unless --demo)')
    .option('--demo [task]', 'a task of the demo (the first; its number or name), its site included: needs a checkout')
    .option('--replay', "with --demo: the task's recorded reference drives, and not you")
    .option('--out <dir>', 'where the bundle goes (a new folder in clawbench-local)')
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
    return await session(options, createSessionReport(options.json === true), ended.signal);
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    process.stderr.write(`clawbench local: ${error.message}\n`);
    return 2;
  } finally {
    unwatch();
  }
}

async function session(options: LocalOptions, report: SessionReport, ended: AbortSignal): Promise<number> {
  const { task, demo } = options;
  refuseContradictions(options);
  if (demo === undefined) return runSession({ ...options, task: task ?? '' }, report, ended);
  const site = await startDemo(demo === true ? FIRST : demo);
  try {
    const harness = options.replay === true ? { harness: site.replay } : {};
    const map = [...options.map, ...site.map];
    const code = await runSession({ ...options, ...harness, task: site.task, map }, report, ended);
    report.note(`terminal requests that reached the site: ${String(await site.arrivals())}`);
    return code;
  } finally {
    await site.end();
  }
}

/** The demo's first task. */
const FIRST = '1';

/** @throws BadInput */
function refuseContradictions({ task, demo, replay, harness }: LocalOptions): void {
  if (task === undefined && demo === undefined) throw new BadInput('give --task FOLDER, or --demo for a task of ours');
  if (task !== undefined && demo !== undefined) throw new BadInput('--demo brings its own task: leave out --task');
  if (replay === true && (demo === undefined || harness !== undefined))
    throw new BadInput('--replay is the agent of a --demo, instead of --harness');
}
