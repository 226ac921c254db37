import { Option, type Command } from 'commander';
import { stat, writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { countOf } from '../../benchmark/text/count-of.ts';
import type { SuiteFile } from '../../benchmark/task/suite.ts';
import { openStore } from '../../store/open.ts';
import { formatted, outputOf } from '../output.ts';
import { wholeNumber } from '../number-option.ts';
import { inCluster, readClusterSuite, listClusterSuites } from './cluster-suites.ts';
import { lintText } from './lint-text.ts';
import { lintPaths } from './lint.ts';
import { formatRows, listTasks } from './list.ts';
import { packSuite, pushSuite, pushSuiteToStore, suiteConfigMap } from './push.ts';
import { refuseLintErrors } from './refuse-lint-errors.ts';
import { readSuiteFolder } from './read-folder.ts';
import { UPSTREAM_SUITES } from './read-wheel.ts';
import { storeFromUrl } from './store-url.ts';
import { importSuite } from './upstream-suite.ts';

/** Adds `tasks lint|push|pack|import|list` to the command line. */
export function addTasksCommands(program: Command): void {
  const tasks = program.command('tasks').description('Check, store and list suites of tasks.');
  addLint(program, tasks);
  addPush(program, tasks);
  addPack(tasks);
  addImport(program, tasks);
  addList(program, tasks);
}

function addLint(program: Command, tasks: Command): void {
  tasks
    .command('lint')
    .description('Check tasks for errors. Exits with 1 if there are any.')
    .argument('<path...>', 'task folder, flat task file, suite, or folder of suites')
    .option('--json', 'print one JSON object with tasks, errors and warnings', false)
    .option('--all', 'print all warnings', false)
    .action(async (paths: string[], options: { json: boolean; all: boolean }) => {
      const report = await lintPaths(paths);
      const format = options.json ? 'json' : outputOf(program);
      console.log(formatted(report, format, () => lintText(report, options.all)));
      if (report.errors.length > 0) process.exitCode = 1;
    });
}

interface StoreOptions {
  readonly s3?: string;
  readonly s3Endpoint?: string;
  readonly s3Region?: string;
}
interface PushOptions extends StoreOptions {
  readonly name?: string;
  readonly dryRun: boolean;
}

function withStore(command: Command): Command {
  return command
    .option('--s3 <url>', 'store the suite below s3://BUCKET/PREFIX instead of in a ConfigMap (for suites above 1 MiB)')
    .option('--s3-endpoint <url>', 'URL of an S3-compatible object store')
    .option('--s3-region <name>', 'region of the bucket', 'us-east-1')
    .option('--dry-run', 'print the ConfigMap as YAML without storing it', false);
}

function addPush(program: Command, tasks: Command): void {
  withStore(tasks.command('push'))
    .description('Store a folder of tasks, or one task file, as a suite in the cluster.')
    .argument('<path>', 'folder with <case>/task.json or <case>.json files')
    .requiredOption('--name <name>', 'name of the suite')
    .option('--force', 'store the suite even if lint finds errors', false)
    .action(async (path: string, options: PushOptions & { name: string; force: boolean }) => {
      await store(program, options.name, await readCheckedSuite(path, options.force), options);
    });
}

function addPack(tasks: Command): void {
  tasks
    .command('pack')
    .description("Write the archive of a suite to a file, for example for kustomize's configMapGenerator.")
    .argument('<path>', 'folder with tasks')
    .requiredOption('--out <file>', 'file to write, usually suite.tar.gz')
    .option('--force', 'write the archive even if lint finds errors', false)
    .action(async (path: string, options: { out: string; force: boolean }) => {
      const packed = await packSuite('suite', await readCheckedSuite(path, options.force));
      await writeFile(options.out, packed.archive);
      console.log(`${options.out}: ${countOf(packed.tasks, 'task')}, ${String(packed.bytes)} bytes gzipped`);
    });
}

async function readCheckedSuite(path: string, force: boolean): Promise<readonly SuiteFile[]> {
  const files = await readSuiteFolder(path);
  if (!force) refuseLintErrors(files);
  return files;
}

function addImport(program: Command, tasks: Command): void {
  withStore(tasks.command('import'))
    .description('Store one of the suites of upstream ClawBench in the cluster.')
    .argument('<suite>', `one of ${UPSTREAM_SUITES.join(', ')}`)
    .option(
      '--from <wheel|dir>',
      "upstream's wheel, clone or suite folder; by default the package is downloaded with pip",
    )
    .option('--name <name>', "name of the suite in the cluster; defaults to upstream's name")
    .action(async (suite: string, options: PushOptions & { from?: string }) => {
      await store(program, options.name ?? suite, await importSuite(suite, options.from), options);
    });
}

async function store(program: Command, name: string, files: readonly SuiteFile[], options: PushOptions): Promise<void> {
  if (options.dryRun) {
    console.log(stringify(suiteConfigMap(await packSuite(name, files))).trimEnd());
    return;
  }
  if (options.s3 === undefined) {
    const pushed = await inCluster(program, (client, namespace) => pushSuite(client, namespace, name, files));
    console.log(`suite ${pushed.name} stored: ${countOf(pushed.tasks, 'task')}, ${String(pushed.bytes)} bytes gzipped`);
    return;
  }
  const where = storeFromUrl(options.s3, {
    ...(options.s3Endpoint === undefined ? {} : { endpoint: options.s3Endpoint }),
    ...(options.s3Region === undefined ? {} : { region: options.s3Region }),
  });
  const target = await openStore(where);
  const pushed = await pushSuiteToStore(target, name, files);
  console.log(
    `suite ${name} stored in ${target.describe}${pushed.key}: ${countOf(pushed.tasks, 'task')}, ${String(pushed.bytes)} bytes gzipped`,
  );
}

interface ListOptions {
  readonly ids?: string;
  readonly case?: string[];
  readonly category?: string[];
  readonly site?: string[];
  readonly limit?: number;
  readonly placeholders: 'Include' | 'Exclude';
}

function addList(program: Command, tasks: Command): void {
  tasks
    .command('list')
    .description('List the tasks of a suite or folder or, without an argument, the suites in the cluster.')
    .argument('[suite|path]', 'name of a suite in the cluster, or a folder')
    .option('--ids <ranges>', 'only tasks with these ids, for example "1-50,86,1065b"')
    .option('--case <glob...>', 'only cases whose name matches')
    .option('--category <name...>', 'only this metaclass, metaclass/class or group')
    .option('--site <host...>', 'only tasks that use this site or a subdomain of it')
    .option('--limit <n>', 'maximum number of tasks', wholeNumber(1, 999_999))
    .addOption(
      new Option(
        '--placeholders <mode>',
        'whether to list tasks with a placeholder pattern, which cannot be intercepted',
      )
        .choices(['Include', 'Exclude'])
        .default('Include'),
    )
    .action(async (name: string | undefined, options: ListOptions) => {
      const format = outputOf(program);
      if (name === undefined) console.log(formatRows(await inCluster(program, listClusterSuites), format));
      else console.log(formatRows(listTasks(await suiteFiles(program, name), selectionOf(options)), format));
    });
}

function selectionOf({ case: cases, category, site, ...rest }: ListOptions): Parameters<typeof listTasks>[1] {
  return {
    ids: rest.ids,
    cases,
    categories: category,
    sites: site,
    placeholders: rest.placeholders,
    limit: rest.limit,
  };
}

async function suiteFiles(program: Command, name: string): Promise<readonly SuiteFile[]> {
  const isPath = await stat(name).then(
    () => true,
    () => false,
  );
  if (isPath) return readSuiteFolder(name);
  return inCluster(program, (client, namespace) => readClusterSuite(client, namespace, name));
}
