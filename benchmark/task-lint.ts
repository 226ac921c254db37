import { copyExtraInfo, ExtraInfoError, normalizeExtraInfo } from './extra-info.ts';
import { isObject, parseJson } from './json.ts';
import { PatternError } from './pattern.ts';
import { compileTarget, EvalSchemaError } from './predicate.ts';
import { readTask, TaskError } from './task.ts';
import { taskSchema } from './task-schema.ts';

/** Something to say about a task file. `pointer` is a JSON pointer into it, `code` one word for programs. */
export interface LintFinding {
  readonly severity: 'error' | 'warning';
  readonly code: 'json' | 'task' | 'schema' | 'pattern' | 'filter' | 'extra-info' | 'navigation';
  readonly pointer: string;
  readonly message: string;
}

/**
 * Checks a task file: what the runner refuses, what the schema asks, whether the pattern compiles in linear time, whether
 * extra files are there.
 * @param files the task directory by path below it; undefined: extra files are not looked up.
 */
export function lintTask(file: string | Uint8Array, files?: ReadonlyMap<string, Uint8Array>): LintFinding[] {
  const parsed = parseJson(typeof file === 'string' ? file : new TextDecoder().decode(file));
  if (!parsed.ok) return [finding('error', 'json', '', 'the file is not valid JSON')];
  const task = isObject(parsed.value) ? parsed.value : {};
  return [
    ...lintAcceptance(parsed.value),
    ...lintSchema(parsed.value),
    ...lintEvalSchema(task['eval_schema']),
    ...lintExtraInfo(task['extra_info'], files),
  ];
}

function lintAcceptance(value: unknown): LintFinding[] {
  try {
    readTask(value);
    return [];
  } catch (error) {
    if (error instanceof TaskError) return [finding('error', 'task', error.pointer, error.message)];
    throw error;
  }
}

/** Findings of the schema alone. */
export function lintSchema(value: unknown): LintFinding[] {
  const checked = taskSchema.safeParse(value);
  return (checked.error?.issues ?? []).map((issue) =>
    finding(
      'error',
      'schema',
      issue.path.map((key) => `/${String(key)}`).join(''),
      `${issue.path.map(String).join('.') || 'the task'}: ${issue.message}`,
    ),
  );
}

function lintEvalSchema(schema: unknown): LintFinding[] {
  try {
    compileTarget(schema);
  } catch (error) {
    if (error instanceof PatternError) return [finding('error', 'pattern', '/eval_schema/url_pattern', error.message)];
    if (error instanceof EvalSchemaError) return [finding('error', 'filter', error.field, error.message)];
    throw error;
  }
  return isObject(schema) ? [...lintParams(schema['params']), ...lintNavigation(schema)] : [];
}

/** Query values are always strings: a filter of another type can never hold. */
function lintParams(params: unknown): LintFinding[] {
  return Object.entries(isObject(params) ? params : {})
    .filter(([, value]) => typeof value !== 'string' && !Array.isArray(value))
    .map(([key]) =>
      finding(
        'warning',
        'filter',
        `/eval_schema/params/${key}`,
        `params.${key} is not text, but query values are always text: it never matches`,
      ),
    );
}

function lintNavigation(schema: Record<string, unknown>): LintFinding[] {
  const open = schema['method'] === 'GET' && !isObject(schema['params']);
  return open
    ? [
        finding(
          'warning',
          'navigation',
          '/eval_schema/method',
          'method is GET without a params filter: opening a page may end the run',
        ),
      ]
    : [];
}

function lintExtraInfo(value: unknown, files: ReadonlyMap<string, Uint8Array> | undefined): LintFinding[] {
  const { entries, warnings } = normalizeExtraInfo(value);
  const found = warnings.map((message) => finding('warning', 'extra-info', '/extra_info', message));
  if (files === undefined) return found;
  try {
    const copied = copyExtraInfo(entries, files, new Set());
    return [...found, ...copied.warnings.map((message) => finding('error', 'extra-info', '/extra_info', message))];
  } catch (error) {
    if (error instanceof ExtraInfoError)
      return [...found, finding('error', 'extra-info', '/extra_info', error.message)];
    throw error;
  }
}

function finding(
  severity: LintFinding['severity'],
  code: LintFinding['code'],
  pointer: string,
  message: string,
): LintFinding {
  return { severity, code, pointer, message };
}
