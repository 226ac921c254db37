import { countOf } from '../../benchmark/text/count-of.ts';
import { compileTarget } from '../../benchmark/request/predicate.ts';
import type { TaskRow } from '../../benchmark/protocol/job-messages.ts';
import { selectCases } from '../../benchmark/task/select-cases.ts';
import { readSuite, type Suite, type SuiteCase, type SuiteFile } from '../../benchmark/task/suite.ts';
import { taskLimitProblem } from '../../benchmark/task/task-limits.ts';
import { parseTask, type Task } from '../../benchmark/task/task.ts';
import type { BatchSuite } from '../../crds/blocks/suite.ts';
import { BatchRefusal } from './refusal.ts';

interface ReadCase {
  readonly case: SuiteCase;
  readonly task: Task;
}

/**
 * The selected tasks of a suite as rows of `<batch>-tasks`, in task order. Only the selected tasks have to be valid: one
 * broken task must not stop a batch that does not run it.
 * @throws BatchRefusal
 */
export function checkSuite(files: readonly SuiteFile[], suite: BatchSuite): readonly TaskRow[] {
  const cases = readCases(files);
  const readable = cases.flatMap((one) => (one.task === null ? [] : [{ case: one.case, task: one.task }]));
  const chosen = choose(readable, suite);
  const broken = cases.find((one) => one.task === null && mayBeSelected(one.case, suite));
  if (broken !== undefined) throw taskRefusal(broken.case.name, broken.error);
  if (chosen.length === 0) {
    throw new BatchRefusal(
      'NothingSelected',
      `spec.suite.select matches no task: suite ${suite.name} has ${countOf(cases.length, 'task')}`,
    );
  }
  return chosen.map(taskRow);
}

function readCases(files: readonly SuiteFile[]): { case: SuiteCase; task: Task | null; error: unknown }[] {
  return readSuiteOrRefuse(files).cases.map((one) => {
    try {
      return { case: one, task: parseTask(one.taskBytes), error: null };
    } catch (error) {
      return { case: one, task: null, error };
    }
  });
}

function readSuiteOrRefuse(files: readonly SuiteFile[]): Suite {
  try {
    return readSuite(files);
  } catch (error) {
    throw new BatchRefusal('SuiteInvalid', `spec.suite: ${(error as Error).message}`);
  }
}

function choose(cases: readonly ReadCase[], suite: BatchSuite): ReadCase[] {
  try {
    return selectCases(cases, suite.select);
  } catch (error) {
    throw new BatchRefusal('SelectionInvalid', `spec.suite.select: ${(error as Error).message}`);
  }
}

/** A task that cannot be parsed has no category or site, so only its name can exclude it. */
function mayBeSelected(one: SuiteCase, suite: BatchSuite): boolean {
  const { ids, cases } = suite.select;
  const stub = { taskId: null, metaclass: '', class: '', group: '', site: '', placeholder: false };
  return selectCases([{ case: one, task: stub }], { ids, cases }).length > 0;
}

function taskRow({ case: one, task }: ReadCase): TaskRow {
  try {
    compileTarget(task.evalSchema);
  } catch (error) {
    throw taskRefusal(one.name, error);
  }
  const limit = taskLimitProblem(one.name, task, one.files);
  if (limit !== null) throw taskRefusal(one.name, limit.message);
  return {
    case: one.name,
    taskId: task.taskId,
    sha256: one.sha256,
    metaclass: task.metaclass,
    class: task.class,
    group: task.group,
    site: task.site,
    timeLimitSeconds: task.timeLimitSeconds,
    placeholder: task.placeholder,
  };
}

function taskRefusal(name: string, error: unknown): BatchRefusal {
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  return new BatchRefusal('TaskInvalid', `task ${shown}: ${error instanceof Error ? error.message : String(error)}`);
}
