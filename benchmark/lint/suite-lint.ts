import { isObject, stringifyJson } from '../text/json.ts';
import { labelValue } from '../protocol/names.ts';
import type { Suite, SuiteCase } from '../task/suite.ts';
import { caseNameProblem } from '../task/task-limits.ts';
import { parseTask, TaskError, type Task } from '../task/task.ts';
import { lintError, lintWarning, type LintFinding } from './lint-finding.ts';
import { lintTask } from './task-lint.ts';

export interface SuiteFinding extends LintFinding {
  /** Path of the task file in the suite. */
  readonly path: string;
}

interface Entry {
  readonly one: SuiteCase;
  readonly task: Task | null;
}

/** The findings of every task, and those that need the whole suite: duplicate IDs, targets and names. */
export function lintSuite(suite: Suite): SuiteFinding[] {
  const entries = suite.cases.map((one) => ({ one, task: readable(one.taskBytes) }));
  return [
    ...suite.cases.flatMap((one) => lintTask(one.taskBytes, one.files).map((found) => at(one, found))),
    ...lintIds(entries),
    ...lintTargets(entries),
    ...suite.cases.flatMap(lintName),
  ];
}

function at(one: SuiteCase, finding: LintFinding): SuiteFinding {
  return { path: one.taskPath, ...finding };
}

function lintIds(entries: readonly Entry[]): SuiteFinding[] {
  return groups(entries, ({ task }) => (task?.taskId == null ? null : String(task.taskId))).map(([first, ...others]) =>
    at(
      first.one,
      lintWarning('duplicate', '/metadata/task_id', `task_id is also used by ${names(others)}; give each task its own`),
    ),
  );
}

/**
 * Interception cannot tell such tasks apart: an agent that completes one of them is also intercepted in the other. Tasks
 * that end on the answer page share a target on purpose: a filter cannot recognize a right answer, so a judge decides.
 */
function lintTargets(entries: readonly Entry[]): SuiteFinding[] {
  return groups(entries, ({ task }) =>
    task === null || task.placeholder || endsOnAnswerPage(task) ? null : targetKey(task),
  ).map(([first, ...others]) =>
    at(
      first.one,
      lintWarning(
        'duplicate',
        '/eval_schema',
        `the same request is also the target of ${names(others)}, so only a judge can tell these tasks apart; add a body or params filter if possible`,
      ),
    ),
  );
}

function endsOnAnswerPage(task: Task): boolean {
  return /\/api\/task-submit\$?$/.test(String(task.evalSchema.url_pattern));
}

function targetKey(task: Task): string {
  const { url_pattern, method, ...rest } = task.evalSchema;
  const filter = (key: string): unknown => (isObject(rest[key]) ? Object.entries(rest[key]).toSorted() : null);
  return stringifyJson([url_pattern, method, filter('body'), filter('params')]);
}

/** A label value has at most 63 characters; upstream's longest directory name has 181. */
function lintName(one: SuiteCase): SuiteFinding[] {
  const problem = caseNameProblem(one.name);
  if (problem !== null) return [at(one, lintError('limit', '', problem))];
  const label = labelValue(one.name);
  if (label === one.name) return [];
  const message = `the name is not a valid label value, so labels show ${label} and an annotation the full name; use at most 63 letters, digits, ".", "_" and "-"`;
  return [at(one, lintWarning('name', '', message))];
}

function groups(entries: readonly Entry[], key: (entry: Entry) => string | null): (readonly [Entry, ...Entry[]])[] {
  const found = new Map<string, [Entry, ...Entry[]]>();
  for (const entry of entries) {
    const name = key(entry);
    if (name === null) continue;
    const group = found.get(name);
    if (group === undefined) found.set(name, [entry]);
    else group.push(entry);
  }
  return [...found.values()].filter((group) => group.length > 1);
}

function names(entries: readonly Entry[]): string {
  const shown = entries.slice(0, 3).map(({ one }) => one.name);
  const more = entries.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${String(more)} more` : '');
}

function readable(bytes: Uint8Array): Task | null {
  try {
    return parseTask(bytes);
  } catch (error) {
    if (error instanceof TaskError) return null;
    throw error;
  }
}
