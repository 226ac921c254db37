import { isObject, jsonPointer } from '../text/json.ts';
import { issueSentence } from '../text/issue-sentence.ts';
import { repeatedKeys } from '../request/repeated-keys.ts';
import { readTaskFile } from '../task/task-file.ts';
import { taskSchema } from '../task/task-schema.ts';
import { taskTextProblem } from '../task/task-limits.ts';
import { taskFromJson, TaskError } from '../task/task.ts';
import { lintExtraInfo } from './extra-info-lint.ts';
import { lintError, lintWarning, type LintFinding } from './lint-finding.ts';
import { lintTarget } from './target-lint.ts';

/**
 * Checks a task file: what the runner would refuse, upstream's schema, the target, and the extra files. Never throws for an
 * invalid file.
 * @param files the task directory by relative path; undefined: extra files are not checked.
 */
export function lintTask(file: string | Uint8Array, files?: ReadonlyMap<string, Uint8Array>): LintFinding[] {
  const read = readTaskFile(file);
  if (!read.ok) return [lintError(read.code, '', read.message)];
  const task = isObject(read.value) ? read.value : {};
  const metadata = isObject(task['metadata']) ? task['metadata'] : {};
  const schema = lintSchema(read.value);
  const known = new Set(schema.map(({ pointer }) => pointer));
  const extra = lintExtraInfo(task['extra_info'], files);
  return [
    ...schema,
    ...lintRepeatedKeys(file),
    ...lintAcceptance(read.value).filter(({ pointer }) => !known.has(pointer)),
    ...lintTarget(task['eval_schema'], metadata['sites_involved']).filter(({ pointer }) => !known.has(pointer)),
    ...extra,
    // A file outside the task's directory is already reported above, with its path.
    ...lintLimits(read.value, files).filter(({ pointer }) => pointer !== '/extra_info' || !extra.some(isError)),
  ];
}

/** Violations of upstream's JSON Schema. */
export function lintSchema(value: unknown): LintFinding[] {
  const checked = taskSchema.safeParse(value);
  return (checked.error?.issues ?? []).map((issue) =>
    lintError('schema', jsonPointer(issue.path), issueSentence(issue, value, 'the task')),
  );
}

/** The last value counts, and the others are lost without a word to their author. */
function lintRepeatedKeys(file: string | Uint8Array): LintFinding[] {
  const text = typeof file === 'string' ? file : new TextDecoder().decode(file);
  return [...repeatedKeys(text)].map((key) =>
    lintWarning(
      'json',
      '',
      `the key ${JSON.stringify(key.slice(0, 80))} occurs twice in one object, and only the last one counts; remove one`,
    ),
  );
}

function isError({ severity }: LintFinding): boolean {
  return severity === 'error';
}

function lintLimits(value: unknown, files: ReadonlyMap<string, Uint8Array> | undefined): LintFinding[] {
  try {
    const found = taskTextProblem(taskFromJson(value), files);
    return found === null ? [] : [lintError('limit', found.pointer, found.message)];
  } catch (error) {
    if (error instanceof TaskError) return [];
    throw error;
  }
}

function lintAcceptance(value: unknown): LintFinding[] {
  try {
    taskFromJson(value);
    return [];
  } catch (error) {
    if (error instanceof TaskError) return [lintError('task', error.pointer, error.message)];
    throw error;
  }
}
