import { readSuite, SuiteError, type SuiteCase, type SuiteFile } from '../../benchmark/task/suite.ts';
import { taskLimitProblem } from '../../benchmark/task/task-limits.ts';
import { parseTask, TaskError, type Task } from '../../benchmark/task/task.ts';
import { StoreRefused, StoreUnavailable } from '../../store/object-store.ts';
import { SuiteArchiveError } from '../../store/suite-archive.ts';

/** The task is not the one that the run was created for. Final: another attempt would find the same. */
export class TaskMismatch extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TaskMismatch';
  }
}

export interface LoadedCase {
  readonly suiteCase: SuiteCase;
  readonly task: Task;
}

/**
 * Reads the run's case from the suite. The hash in the run's spec is from when the batch was accepted: a suite that was
 * replaced since must not be run under the old name.
 * @param read returns the suite's files.
 * @param sha256 hex of the raw task file; null: not checked (local session).
 * @throws TaskMismatch
 */
export async function loadCase(
  read: () => Promise<readonly SuiteFile[]>,
  caseName: string,
  sha256: string | null,
): Promise<LoadedCase> {
  try {
    const { cases } = readSuite(await readFiles(read));
    const suiteCase = cases.find((one) => one.name === caseName);
    if (suiteCase === undefined) throw new TaskMismatch(`the suite has no case named ${JSON.stringify(caseName)}`);
    if (sha256 !== null && suiteCase.sha256 !== sha256) {
      throw new TaskMismatch(`case ${caseName} is not the file that this run was created for: its SHA-256 differs`);
    }
    const task = parseTask(suiteCase.taskBytes);
    // The prepare Job refuses such a task; a standalone run has no prepare Job.
    const limit = taskLimitProblem(caseName, task, suiteCase.files);
    if (limit !== null) throw new TaskMismatch(`case ${caseName}: ${limit.message}`);
    return { suiteCase, task };
  } catch (error) {
    if (error instanceof SuiteError || error instanceof SuiteArchiveError || error instanceof TaskError) {
      throw new TaskMismatch(`case ${caseName}: ${error.message}`);
    }
    throw error;
  }
}

async function readFiles(read: () => Promise<readonly SuiteFile[]>): Promise<readonly SuiteFile[]> {
  try {
    return await read();
  } catch (error) {
    // A store that refuses or does not answer is not a wrong task: another attempt may read it.
    const known = [SuiteArchiveError, StoreRefused, StoreUnavailable].some((kind) => error instanceof kind);
    if (known) throw error;
    throw new TaskMismatch(`the suite cannot be read: ${(error as Error).message}`);
  }
}
