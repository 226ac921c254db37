import { z } from 'zod';
import { categoryGroup } from './category-group.ts';
import { issueSentence } from '../text/issue-sentence.ts';
import { jsonPointer } from '../text/json.ts';
import { readTaskFile } from './task-file.ts';

/**
 * Reads a task file. It accepts what upstream's runner accepts, which is less strict than its schema: a task that ran there must
 * run here. The linter checks the schema (`lint/`).
 */

/** Pattern of tasks that are never intercepted (paywalls). The predicate treats it like any other pattern. */
const PLACEHOLDER_PATTERN = '__PLACEHOLDER_WILL_NOT_MATCH__';

const evalSchema = z.looseObject({ url_pattern: z.string(), method: z.string() });
const acceptedTask = z.looseObject({
  instruction: z.string().refine((text) => text.trim() !== '', { error: 'must not be blank' }),
  eval_schema: evalSchema,
  time_limit: z.number().positive(),
});

type EvalSchema = z.infer<typeof evalSchema>;

export interface Task {
  readonly instruction: string;
  readonly evalSchema: EvalSchema;
  readonly timeLimitMinutes: number;
  /** See {@link timeLimitSeconds}. */
  readonly timeLimitSeconds: number;
  /** As in the file; see `extra-info.ts`. */
  readonly extraInfo: unknown;
  /** For the judge; never shown to the agent. */
  readonly judgeContext: Readonly<Record<string, unknown>> | null;
  /** As in the file; copied into run-meta. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly taskId: number | null;
  readonly metaclass: string;
  readonly class: string;
  /** One of the paper's eight groups, or `Other`. */
  readonly group: string;
  /** Host of the first of `sites_involved`; empty when unknown. */
  readonly site: string;
  readonly placeholder: boolean;
}

/** The task is not valid. `pointer` is a JSON pointer into the file; the message is one sentence. */
export class TaskError extends Error {
  readonly pointer: string;
  constructor(pointer: string, message: string) {
    super(message);
    this.name = 'TaskError';
    this.pointer = pointer;
  }
}

/**
 * Reads a task from the file's text or bytes.
 * @throws TaskError naming the field.
 */
export function parseTask(file: string | Uint8Array): Task {
  const read = readTaskFile(file);
  if (!read.ok) throw new TaskError('', read.message);
  return taskFromJson(read.value);
}

/**
 * The same from parsed JSON.
 * @throws TaskError
 */
export function taskFromJson(value: unknown): Task {
  const checked = acceptedTask.safeParse(value);
  if (!checked.success) throw taskError(checked.error.issues[0], value);
  const task = checked.data;
  const metadata = object(task['metadata']);
  const metaclass = text(metadata['metaclass']);
  const klass = text(metadata['class']);
  return {
    instruction: task.instruction,
    evalSchema: task.eval_schema,
    timeLimitMinutes: task.time_limit,
    timeLimitSeconds: timeLimitSeconds(task.time_limit),
    extraInfo: task['extra_info'],
    judgeContext: isRecord(task['judge_context']) ? task['judge_context'] : null,
    metadata,
    taskId: typeof metadata['task_id'] === 'number' ? metadata['task_id'] : null,
    metaclass,
    class: klass,
    group: categoryGroup(metaclass, klass),
    site: siteHost(metadata['sites_involved']),
    placeholder: isPlaceholder(task.eval_schema.url_pattern),
  };
}

/** Whether a pattern is the placeholder of tasks that are never intercepted. */
export function isPlaceholder(pattern: string): boolean {
  return pattern === PLACEHOLDER_PATTERN;
}

/** Whole seconds, truncated, as in upstream. */
export function timeLimitSeconds(minutes: number): number {
  return Math.trunc(minutes * 60);
}

function taskError(issue: z.core.$ZodIssue | undefined, value: unknown): TaskError {
  if (issue === undefined) return new TaskError('', 'the task is not valid');
  return new TaskError(jsonPointer(issue.path), issueSentence(issue, value, 'the task'));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function object(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * The host that per-site limits count by, from `metadata.sites_involved`. The field contains host names, full URLs, hosts with a
 * path, or the word `web`. It may differ from the target's host, but it is the site that the task mostly visits.
 */
export function siteHost(sites: unknown): string {
  const first: unknown = Array.isArray(sites) ? sites[0] : sites;
  if (typeof first !== 'string') return '';
  const text = first.trim().toLowerCase();
  const url = /^[a-z][a-z0-9+.-]*:\/\//.test(text) ? text : `https://${text}`;
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  const bare = host.replace(/^www\./, '').replace(/\.$/, '');
  return bare === 'web' ? '' : bare;
}
