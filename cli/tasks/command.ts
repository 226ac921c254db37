import type { Command } from 'commander';
import { readFile, stat } from 'node:fs/promises';
import { readSuite, type SuiteFile } from '../../benchmark/suite.ts';
import { parseTask, type Task } from '../../benchmark/task.ts';
import { createClient } from '../../kube/client.ts';
import { CONFIG_MAPS } from '../../kube/kinds.ts';
import { resource } from '../../kube/resource.ts';
import { loadKubeConfig } from '../kube-config.ts';
import { pushSuite, type Pushed } from './push.ts';
import { readSuiteFolder } from './read-folder.ts';
import { downloadWheel, suiteFromWheel, UPSTREAM_SUITES, type UpstreamSuite } from './read-wheel.ts';

interface GlobalOptions {
  readonly namespace?: string;
  readonly context?: string;
}

/** Adds `tasks push|import|list` to the command line. */
export function addTasksCommands(program: Command): void {
  const tasks = program.command('tasks').description('suites of tasks: push, import, list');
  tasks
    .command('push')
    .description('store a folder of tasks (or one task file) as a suite in the cluster')
    .argument('<path>', 'folder with <case>/task.json or <case>.json files')
    .requiredOption('--name <name>', "the suite's name")
    .action(async (path: string, options: { name: string }) => {
      report(await push(program, options.name, await readSuiteFolder(path)));
    });
  tasks
    .command('import')
    .description(`store one of upstream's suites: ${UPSTREAM_SUITES.join(', ')}`)
    .argument('<suite>', UPSTREAM_SUITES.join('|'))
    .option('--from <wheel|dir>', "upstream's wheel, or a folder of its tasks; by default the package is downloaded")
    .option('--name <name>', "the suite's name in the cluster")
    .action(async (suite: string, options: { from?: string; name?: string }) => {
      report(await push(program, options.name ?? suite, await importSuite(suite, options.from)));
    });
  tasks
    .command('list')
    .description('the tasks of a suite in the cluster, or of a folder')
    .argument('<suite|path>')
    .action(async (name: string) => printTasks(await suiteFiles(program, name)));
}

/** Files of an upstream suite. @throws Error with a sentence when the suite's name or the source is wrong. */
export async function importSuite(suite: string, from?: string): Promise<readonly SuiteFile[]> {
  if (!(UPSTREAM_SUITES as readonly string[]).includes(suite)) {
    throw new Error(`there is no upstream suite ${suite}; there are ${UPSTREAM_SUITES.join(', ')}`);
  }
  if (from !== undefined && (await stat(from)).isDirectory()) return readSuiteFolder(from);
  const wheel = from === undefined ? await downloadWheel() : await readFile(from);
  return suiteFromWheel(wheel, suite as UpstreamSuite);
}

async function push(program: Command, name: string, files: readonly SuiteFile[]): Promise<Pushed> {
  const options = program.opts<GlobalOptions>();
  const client = createClient({ kubeConfig: () => loadKubeConfig(options.context) });
  try {
    return await pushSuite(client, options.namespace ?? client.namespace, name, files);
  } finally {
    await client.close();
  }
}

async function suiteFiles(program: Command, name: string): Promise<readonly SuiteFile[]> {
  const isPath = await stat(name).then(
    () => true,
    () => false,
  );
  if (isPath) return readSuiteFolder(name);
  const options = program.opts<GlobalOptions>();
  const client = createClient({ kubeConfig: () => loadKubeConfig(options.context) });
  try {
    const map = await resource(client, CONFIG_MAPS, options.namespace ?? client.namespace).get(name);
    const { readSuiteArchive } = await import('../../store/suite-archive.ts');
    return await readSuiteArchive(Buffer.from(map.binaryData?.['suite.tar.gz'] ?? '', 'base64'));
  } finally {
    await client.close();
  }
}

function printTasks(files: readonly SuiteFile[]): void {
  for (const one of readSuite(files).cases) console.log(describe(one.name, parseTask(one.taskBytes)));
}

function describe(name: string, task: Task): string {
  return [name, task.group, task.site, `${task.timeLimitMinutes} min`, task.placeholder ? 'placeholder' : '']
    .join('\t')
    .trimEnd();
}

function report(pushed: Pushed): void {
  console.log(`suite ${pushed.name}: ${pushed.tasks} tasks, ${pushed.bytes} bytes gzipped`);
}
