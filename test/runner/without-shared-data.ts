import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments, runScript } from '../cluster/command-line.ts';
import { runCommand } from './command.ts';
import { importsSharedData, sourceFiles } from './shared-data-tests.ts';

const USAGE = `npm run test:without-shared-data
  Runs the tests that compare with the reference data of ../shared as they run in a clone that has none: they must be
  skipped, not fail, and a file that is left without a test fails.`;

const root = join(import.meta.dirname, '..', '..');

async function main(): Promise<number> {
  readArguments(USAGE, {});
  const files = sourceFiles(root).filter((path) => importsSharedData(readFileSync(join(root, path), 'utf8')));
  const command = ['vitest', 'run', '--silent', '--project', 'unit', '--project', 'browser', ...files];
  const { exitCode } = await runCommand(command, {
    env: { CLAWBENCH_SHARED: '/nonexistent/shared' },
    limitSeconds: 120,
  });
  return exitCode;
}

await runScript(main);
