import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { countOf } from '../../benchmark/text/count-of.ts';
import { readSuite, SuiteError, type SuiteFile } from '../../benchmark/task/suite.ts';
import { taskLimitProblem } from '../../benchmark/task/task-limits.ts';
import { parseTask, TaskError } from '../../benchmark/task/task.ts';
import { writeSuiteArchive } from '../../store/suite-archive.ts';
import { readSuiteFolder, SuiteFolderError } from '../tasks/read-folder.ts';
import { BadInput } from './options.ts';

export interface TaskArchive {
  readonly caseName: string;
  readonly instruction: string;
  readonly timeLimitSeconds: number;
  /** Archive of a suite with only this case, as the recorder reads it. */
  readonly archive: Uint8Array;
}

/**
 * Reads one task, a folder with `task.json` or a flat `.json` file, into the archive that a Pod would get.
 * @throws BadInput when there is no task, or it cannot be run
 */
export async function readTaskArchive(path: string): Promise<TaskArchive> {
  const full = resolve(path);
  const info = await stat(full).catch(() => {
    throw new BadInput(`--task ${path} does not exist`);
  });
  try {
    const files = info.isDirectory() ? await directoryFiles(full) : await readSuiteFolder(full);
    const { cases } = readSuite(files);
    const [only, ...more] = cases;
    if (only === undefined || more.length > 0)
      throw new BadInput(`--task ${path} contains ${countOf(cases.length, 'task')}; use the path of a single task`);
    const task = parseTask(only.taskBytes);
    const limit = taskLimitProblem(only.name, task, only.files);
    if (limit !== null) throw new BadInput(`--task ${path}: ${limit.message}`);
    const { instruction, timeLimitSeconds } = task;
    return { caseName: only.name, instruction, timeLimitSeconds, archive: await writeSuiteArchive(files) };
  } catch (error) {
    if (isTaskProblem(error)) throw new BadInput(`--task ${path}: ${error.message}`);
    throw error;
  }
}

async function directoryFiles(directory: string): Promise<readonly SuiteFile[]> {
  const files = await readSuiteFolder(directory);
  const single = files.some((file) => file.path === 'task.json');
  // The name of a case is that of its folder.
  return single ? files.map((file) => ({ ...file, path: join(basename(directory), file.path) })) : files;
}

function isTaskProblem(error: unknown): error is Error {
  return error instanceof SuiteError || error instanceof TaskError || error instanceof SuiteFolderError;
}
