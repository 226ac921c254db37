import { readSuite } from '../../benchmark/task/suite.ts';
import { parseTask } from '../../benchmark/task/task.ts';
import type { JudgedTask } from '../../judging/run/judge-run.ts';
import { readSuiteFolder } from '../tasks/read-folder.ts';

/** The tasks of a suite by case name; null if it has no such case. */
export async function readTasks(path: string): Promise<(name: string) => JudgedTask | null> {
  const suite = readSuite(await readSuiteFolder(path));
  const bytes = new Map(suite.cases.map((one) => [one.name, one.taskBytes]));
  return (name) => {
    const file = bytes.get(name);
    return file === undefined ? null : parseTask(file);
  };
}
