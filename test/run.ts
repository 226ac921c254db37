import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readArguments, runScript, UsageError } from './cluster/command-line.ts';
import { changedArguments, countAffected } from './runner/affected-files.ts';
import { runCommand, type CommandResult } from './runner/command.ts';
import { add, closingLine, NONE, ONE_FAILED, vitestCounts, type Counts } from './runner/counts.ts';
import { fileTimes, slowestFiles, type FileTime } from './runner/slowest-files.ts';
import { PREPARATIONS, RUN_LIMIT_MINUTES, STAGES, SUITES, type Preparation, type Suite } from './runner/suites.ts';

/** `npm test`: see {@link USAGE}. */
const USAGE = `npm test [-- SUITE… [--changed | --since COMMIT]]
  SUITE           ${SUITES.map((suite) => suite.name).join(', ')}; without one all of them, in this order
  --changed       only test files that import, however indirectly, a file with changes that are not committed
  --since COMMIT  the same for changes since a commit, committed or not

  Prepares what the suites need (packages, the embedded cluster, images), runs them, undoes what it started, and prints
  the seconds of each, the ten slowest test files and, last, the line that CI reads. A suite is stopped and fails at
  twice its budget. A cluster that was up before stays up.
  types and lint always check all files. Tests of the suite "cluster" reach operator, recorder and judge by their images
  and not by imports: after a change to one of those, run npm test -- cluster.
  Tests that compare with upstream's recorded cases and the public corpora read them from ../shared, or from the folder
  that CLAWBENCH_SHARED names, and are skipped without it. One suite by itself: npm run test:unit (or :browser,
  :cluster), with vitest's own options after "--".`;

const SLOWEST = 10;
const started = Date.now();
const root = resolve(import.meta.dirname, '..');
const rows: { name: string; seconds: number; note: string }[] = [];
const times: FileTime[] = [];
const prepared = new Map<string, boolean>();
/** Preparations to undo at the end. */
const begun: Preparation[] = [];
const interrupt = new AbortController();

interface Selection {
  readonly suites: readonly string[];
  /** Only test files that a change affects: what is not committed, and what the commit `since` does not have. */
  readonly changed: boolean;
  readonly since: string | null;
  /** Folder of the reports. */
  readonly scratch: string;
}

/** Seconds that may still be spent; a suite gets the smaller of this and its own limit. */
function secondsLeft(): number {
  return Math.max(1, RUN_LIMIT_MINUTES * 60 - (Date.now() - started) / 1000);
}

function readReport(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

async function prepare(step: Preparation): Promise<boolean> {
  const known = prepared.get(step.name);
  if (known !== undefined) return known;
  console.log(`\n=== prepare: ${step.name}`);
  if (step.undo !== undefined && step.wasThere?.() !== true) begun.push(step);
  const limitSeconds = Math.min(step.limitMinutes * 60, secondsLeft());
  const result = await runCommand(step.command, { limitSeconds, signal: interrupt.signal });
  const ok = result.exitCode === 0;
  rows.push({ name: `prepare ${step.name}`, seconds: result.seconds, note: ok ? '' : 'FAILED' });
  prepared.set(step.name, ok);
  return ok;
}

async function prepareAll(names: readonly string[]): Promise<string | null> {
  for (const step of PREPARATIONS.filter((candidate) => names.includes(candidate.name))) {
    if (!(await prepare(step))) return step.name;
  }
  return null;
}

async function runSuite(suite: Suite, { since, changed, scratch }: Selection, collected: boolean): Promise<Counts> {
  const filtered = changed && suite.projects !== undefined;
  if (filtered && (await countAffected(suite, since)) === 0) {
    rows.push({ name: suite.name, seconds: 0, note: 'not affected by the change' });
    return NONE;
  }
  const missing = await prepareAll(suite.needs);
  if (missing !== null) {
    rows.push({ name: suite.name, seconds: 0, note: `FAILED: preparation "${missing}" failed` });
    return ONE_FAILED;
  }
  if (!collected) console.log(`\n=== ${suite.name} (budget ${suite.budgetMinutes} min)`);
  const report = join(scratch, `${suite.name}.json`);
  const command = [
    ...suite.command,
    ...(suite.projects === undefined ? [] : [`--outputFile.json=${report}`]),
    ...(filtered ? changedArguments(since) : []),
  ];
  const limitSeconds = Math.min(suite.budgetMinutes * 120, secondsLeft());
  const result = await runCommand(command, { limitSeconds, signal: interrupt.signal, collected });
  return recordSuite(suite, result, readReport(report));
}

function recordSuite(suite: Suite, { exitCode, seconds, timedOut }: CommandResult, report: string | null): Counts {
  const counts = suiteCounts(suite, exitCode, report);
  const failure = timedOut ? `FAILED: stopped at twice its budget of ${suite.budgetMinutes} min` : 'FAILED';
  rows.push({ name: suite.name, seconds, note: counts.failed > 0 ? failure : '' });
  times.push(...fileTimes(report, root));
  return counts;
}

function suiteCounts(suite: Suite, exitCode: number, report: string | null): Counts {
  if (suite.projects !== undefined) return vitestCounts(report, exitCode);
  return exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : ONE_FAILED;
}

/** Runs the suites of one stage at the same time. */
async function runStage(stage: readonly Suite[], selection: Selection): Promise<Counts> {
  const chosen = stage.filter(({ name }) => selection.suites.length === 0 || selection.suites.includes(name));
  const together = chosen.length > 1;
  if (together) {
    const names = chosen.map(({ name, budgetMinutes }) => `${name} (budget ${budgetMinutes} min)`);
    console.log(`\n=== ${names.join(', ')}`);
  }
  const counts = await Promise.all(chosen.map((suite) => runSuite(suite, selection, together)));
  return counts.reduce(add, NONE);
}

async function undoAll(): Promise<Counts> {
  let total = NONE;
  for (const step of begun.toReversed()) {
    const result = await runCommand(step.undo ?? [], { limitSeconds: 180 });
    if (result.exitCode !== 0) total = add(total, ONE_FAILED);
    rows.push({ name: `undo ${step.name}`, seconds: result.seconds, note: result.exitCode === 0 ? '' : 'FAILED' });
  }
  return total;
}

function printSummary(total: Counts): void {
  const line = (seconds: number, text: string): string => `${seconds.toFixed(1).padStart(7)}  ${text}`;
  if (times.length > 0) {
    console.log('\nseconds  slowest test files');
    for (const { file, seconds } of slowestFiles(times, SLOWEST)) console.log(line(seconds, file));
  }
  console.log('\nseconds  suite');
  for (const { name, seconds, note } of rows) console.log(line(seconds, `${name}${note && `  ${note}`}`));
  console.log(line((Date.now() - started) / 1000, 'all'));
  console.log(`\n${closingLine(total)}`);
}

async function main(): Promise<number> {
  const { positionals: suites, values } = readArguments(USAGE, {
    options: { changed: { type: 'boolean', default: false }, since: { type: 'string' } },
    allowPositionals: true,
  });
  const unknown = suites.filter((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown.length > 0) throw new UsageError(`no suite named ${unknown.join(', ')}\n${USAGE}`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupt.abort());
  const scratch = mkdtempSync(join(tmpdir(), 'clawbench-test-'));
  const since = values.since ?? null;
  const selection = { suites, since, changed: values.changed || since !== null, scratch };
  let total = NONE;
  try {
    for (const stage of STAGES) {
      if (!interrupt.signal.aborted) total = add(total, await runStage(stage, selection));
    }
  } finally {
    total = add(total, await undoAll());
    rmSync(scratch, { recursive: true, force: true });
  }
  if (interrupt.signal.aborted) total = add(total, ONE_FAILED);
  printSummary(total);
  return total.failed > 0 ? 1 : 0;
}

await runScript(main);
