import type { Suite } from './suite.ts';
import { lintTask, type LintFinding } from './task-lint.ts';
import { parseTask, TaskError, type Task } from './task.ts';

export interface SuiteFinding extends LintFinding {
  /** Path of the task file in the suite. */
  readonly path: string;
}

/** Findings of every task, and of ids that are used twice. */
export function lintSuite(suite: Suite): SuiteFinding[] {
  const own = suite.cases.flatMap((one) =>
    lintTask(one.taskBytes, one.files).map((found) => ({ path: one.taskPath, ...found })),
  );
  return [...own, ...lintIds(suite)];
}

function lintIds(suite: Suite): SuiteFinding[] {
  const seen = new Map<number, string>();
  const findings: SuiteFinding[] = [];
  for (const one of suite.cases) {
    const id = readable(one.taskBytes)?.taskId ?? null;
    const before = id === null ? undefined : seen.get(id);
    if (before !== undefined) {
      const message = `task_id ${String(id)} is also that of ${before}`;
      findings.push({ path: one.taskPath, severity: 'warning', code: 'task', pointer: '/metadata/task_id', message });
    } else if (id !== null) seen.set(id, one.name);
  }
  return findings;
}

function readable(bytes: Uint8Array): Task | null {
  try {
    return parseTask(bytes);
  } catch (error) {
    if (error instanceof TaskError) return null;
    throw error;
  }
}
