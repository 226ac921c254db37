import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { planOf, type ReplayStep } from './plan.ts';
import { playStep } from './play.ts';
import { openTab } from './tab.ts';

/**
 * The upper bound of scores: plays a recorded reference through the DevTools proxy. On a task with a real pattern, the
 * terminal request must be intercepted; otherwise the task, its site or the interception is broken.
 */
const env = (name: string, fallback: string): string => process.env[name] ?? fallback;
const dataDir = env('CLAWBENCH_DATA_DIR', '/data');
/** The terminal request is often sent shortly after the last row; the recorder ends this process when it arrives. */
const AFTERGLOW_MS = 10_000;

/** The reference file of the run: by case name in a mounted folder, or the one in CLAWBENCH_REFERENCE. */
function referenceFile(): string {
  const named = process.env['CLAWBENCH_REFERENCE'];
  if (named !== undefined && named !== '') return named;
  return join(env('CLAWBENCH_REFERENCES_DIR', '/references'), `${env('CLAWBENCH_CASE', 'task')}.jsonl`);
}

/** Appends one row per step to the transcript, so that a trace shows what was played. */
function note(step: ReplayStep, failure: string | null): void {
  const row = { type: 'assistant', timestamp: Date.now(), message: { role: 'replay', step, error: failure } };
  appendFileSync(join(dataDir, 'agent-messages.jsonl'), `${JSON.stringify(row)}\n`);
}

async function replay(): Promise<number> {
  const file = referenceFile();
  if (!existsSync(file)) {
    console.error(`replay: the reference ${file} does not exist`);
    return 3;
  }
  const steps = planOf(readFileSync(file, 'utf8'));
  const tab = await openTab(env('CLAWBENCH_BROWSER_CDP_URL', 'http://127.0.0.1:9222'));
  for (const step of steps) {
    try {
      await playStep(tab, step);
      note(step, null);
    } catch (error) {
      // After the match, the DevTools proxy refuses all commands until the agent is stopped.
      note(step, (error as Error).message);
      console.error(`replay: ${step.do}: ${(error as Error).message}`);
      await sleep(AFTERGLOW_MS);
      return 4;
    }
  }
  await sleep(AFTERGLOW_MS);
  return 0;
}

process.exit(await replay());
