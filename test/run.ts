import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, runScript, UsageError } from './cluster/command-line.ts';
import { runCommand } from './runner/command.ts';
import { add, closingLine, NONE, vitestCounts, type Counts } from './runner/counts.ts';
import { PREPARATIONS, RUN_LIMIT_MINUTES, SUITES, type Preparation, type Suite } from './runner/suites.ts';

/**
 * `npm test [-- SUITE…]`: prepares what the chosen suites need, runs them one after the other, undoes the preparations
 * and prints the seconds of each. The last line is the count that CI reads.
 */

const started = Date.now();
const scratch = mkdtempSync(join(tmpdir(), 'clawbench-test-'));
const rows: { name: string; seconds: number; note: string }[] = [];
const prepared = new Map<string, boolean>();

/** Seconds that may still be spent; a suite gets the smaller of this and its own limit. */
function secondsLeft(): number {
  return RUN_LIMIT_MINUTES * 60 - (Date.now() - started) / 1000;
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
  const result = await runCommand(step.command, { limitSeconds: Math.min(step.limitMinutes * 60, secondsLeft()) });
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

async function runSuite(suite: Suite): Promise<Counts> {
  const missing = await prepareAll(suite.needs);
  if (missing !== null) {
    rows.push({ name: suite.name, seconds: 0, note: `FAILED: preparation "${missing}" failed` });
    return { passed: 0, failed: 1, skipped: 0 };
  }
  console.log(`\n=== ${suite.name} (budget ${suite.budgetMinutes} min)`);
  const report = join(scratch, `${suite.name}.json`);
  const command = suite.counts === 'vitest' ? [...suite.command, `--outputFile.json=${report}`] : suite.command;
  const limitSeconds = Math.max(1, Math.min(suite.budgetMinutes * 120, secondsLeft()));
  const result = await runCommand(command, { limitSeconds });
  const note = result.timedOut ? `FAILED: stopped at twice its budget of ${suite.budgetMinutes} min` : '';
  const counts = suiteCounts(suite, result.exitCode, report);
  rows.push({ name: suite.name, seconds: result.seconds, note: note || (counts.failed > 0 ? 'FAILED' : '') });
  return counts;
}

function suiteCounts(suite: Suite, exitCode: number, report: string): Counts {
  if (suite.counts === 'vitest') return vitestCounts(readReport(report), exitCode);
  return exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

async function undoAll(): Promise<Counts> {
  let total = NONE;
  for (const step of PREPARATIONS.toReversed()) {
    if (step.undo === undefined || !prepared.has(step.name)) continue;
    const result = await runCommand(step.undo, { limitSeconds: 180 });
    if (result.exitCode !== 0) total = add(total, { passed: 0, failed: 1, skipped: 0 });
    rows.push({ name: `undo ${step.name}`, seconds: result.seconds, note: result.exitCode === 0 ? '' : 'FAILED' });
  }
  return total;
}

const USAGE = `npm test [-- SUITE…], where SUITE is one of: ${SUITES.map((suite) => suite.name).join(', ')}`;

async function main(): Promise<number> {
  const { positionals: chosen } = readArguments(USAGE, { allowPositionals: true });
  const unknown = chosen.filter((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown.length > 0) throw new UsageError(`no suite named ${unknown.join(', ')}\n${USAGE}`);
  let total = NONE;
  for (const suite of SUITES) {
    if (chosen.length === 0 || chosen.includes(suite.name)) total = add(total, await runSuite(suite));
  }
  total = add(total, await undoAll());
  rmSync(scratch, { recursive: true, force: true });
  console.log('\nseconds  suite');
  for (const row of rows)
    console.log(`${row.seconds.toFixed(1).padStart(7)}  ${row.name}${row.note && `  ${row.note}`}`);
  console.log(`\n${closingLine(total)}`);
  return total.failed > 0 ? 1 : 0;
}

await runScript(main);
