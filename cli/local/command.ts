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
    .description('Run one task without a cluster, with recorder and browser as processes of this machine.')
    .option('--task <path>', 'folder with task.json, or a flat task file (required unless --demo is used)')
    .option(
      '--demo [task]',
      'run a task of the demo, given by number or name (default: the first), with its site; needs a clone',
    )
    .option('--replay', 'with --demo, play the recorded reference of the task instead of waiting for you to drive')
    .option('--out <dir>', 'folder for the bundle (default: a new folder in clawbench-local)')
    .option('--harness <command>', 'command that drives the browser; without it, you or any DevTools client drive it')
    .option('--headless', 'run the browser without a screen and without a video')
    .option('--allow <host:port>', 'private address that the browser may reach (repeatable)', collect, [])
    .option('--map <host=addr:port>', 'send requests for HOST to another address (repeatable)', collect, [])
    .option('--time-limit <seconds>', 'time limit to use instead of the one in the task')
    .option('--no-record', 'do not record a video')
    .option('--json', 'print one JSON object per event on stdout, and logs on stderr')
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
    report.note(`Terminal requests that reached the site: ${String(await site.arrivals())}`);
    return code;
  } finally {
    await site.end();
  }
}

/** The demo's first task. */
const FIRST = '1';

/** @throws BadInput */
function refuseContradictions({ task, demo, replay, harness }: LocalOptions): void {
  if (task === undefined && demo === undefined)
    throw new BadInput('no task given; use --task FOLDER, or --demo for a task of the demo');
  if (task !== undefined && demo !== undefined) throw new BadInput('--task and --demo cannot be used together');
  if (replay === true && (demo === undefined || harness !== undefined))
    throw new BadInput('--replay can only be used with --demo and without --harness');
}
