import Table from 'cli-table3';
import type { Selection } from '../../benchmark/task/select-cases.ts';
import { selectCases } from '../../benchmark/task/select-cases.ts';
import { readSuite, type SuiteFile } from '../../benchmark/task/suite.ts';
import { parseTask, TaskError, type Task } from '../../benchmark/task/task.ts';
import { formatted, type OutputFormat } from '../output.ts';

/** A task as `tasks list` shows it. */
export interface ListedTask {
  readonly case: string;
  readonly id: number | null;
  readonly group: string;
  readonly category: string;
  readonly site: string;
  readonly minutes: number;
  readonly placeholder: boolean;
}

/** The selected tasks of a suite, in task order. @throws SuiteError, SelectionError; TaskError naming the case. */
export function listTasks(files: readonly SuiteFile[], selection: Selection): readonly ListedTask[] {
  const cases = readSuite(files).cases.map((one) => ({ case: one, task: readTaskOf(one.name, one.taskBytes) }));
  return selectCases(cases, selection).map(({ case: one, task }) => ({
    case: one.name,
    id: task.taskId,
    group: task.group,
    category: `${task.metaclass}/${task.class}`,
    site: task.site,
    minutes: task.timeLimitMinutes,
    placeholder: task.placeholder,
  }));
}

function readTaskOf(name: string, bytes: Uint8Array): Task {
  try {
    return parseTask(bytes);
  } catch (error) {
    if (error instanceof TaskError) throw new TaskError(error.pointer, `${name}: ${error.message}`);
    throw error;
  }
}

/** Rows as a table with the keys as column headers, or as JSON or YAML. */
export function formatRows(rows: readonly object[], format: OutputFormat): string {
  if (format !== 'table') return formatted(rows, format, () => '');
  const head = Object.keys(rows[0] ?? {});
  if (head.length === 0) return 'No resources found.';
  const table = new Table({
    head: head.map((key) => key.toUpperCase()),
    chars: PLAIN,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  });
  for (const row of rows) table.push(Object.values(row).map(cell));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === false) return '';
  if (value === true) return 'yes';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Without borders, as kubectl prints tables. */
const PLAIN = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((end) => [`${side}${end}`, '']),
  ),
) as Record<string, string>;
Object.assign(PLAIN, { middle: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' });
