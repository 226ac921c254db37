import { copyExtraInfo, ExtraInfoError, normalizeExtraInfo } from './extra-info.ts';
import { buildAgentPrompt } from './agent-prompt.ts';
import { MY_INFO_FILES } from '../protocol/pod-paths.ts';
import type { Task } from './task.ts';

/**
 * What a task's text may be so that it can travel: the shim starts the agent with the prompt as one environment
 * variable, the case's name becomes part of objects and keys, extra files land in a memory volume. A task beyond that
 * cannot run on any node, so it is refused by lint and `prepare` instead of failing in each paid attempt.
 */

/** `execve` takes 32 pages for one string with its closing NUL (Linux, MAX_ARG_STRLEN, independent of all others). */
export const MAX_STRING_BYTES = 131_072;

/** Longest prompt (UTF-8): the variable is `INSTRUCTION=<prompt>`. As a bare argument of the agent it fits as well. */
export const MAX_PROMPT_BYTES = MAX_STRING_BYTES - 'INSTRUCTION='.length - 1;

/** As `spec.task.ref.case` of a run has it. Upstream's longest name has 181. */
const MAX_CASE_NAME = 253;
/** Linux, per name. */
const MAX_FILE_NAME_BYTES = 255;
/** The volume has 16 MiB and holds the persona's files too. */
const MAX_EXTRA_MIB = 15;
/** As long as any of a batch's deadlines. */
const MAX_MINUTES = 7 * 24 * 60;

export interface TaskLimit {
  /** JSON pointer into the task file; empty: the task's name. */
  readonly pointer: string;
  /** One sentence without its full stop. */
  readonly message: string;
}

/** The first thing that keeps a case from running on any cluster; null when there is none. */
export function taskLimitProblem(
  name: string,
  task: Pick<Task, 'instruction' | 'extraInfo' | 'timeLimitMinutes'>,
  files: ReadonlyMap<string, Uint8Array>,
): TaskLimit | null {
  const named = caseNameProblem(name);
  return named === null ? taskTextProblem(task, files) : { pointer: '', message: named };
}

/** Why no run can carry a case's name; null when it can. */
export function caseNameProblem(name: string): string | null {
  if (/\p{Cc}/u.test(name) || !name.isWellFormed())
    return `the case name ${JSON.stringify(name.slice(0, 80))} holds a control character; rename it`;
  if (name.length > MAX_CASE_NAME)
    return `the case name ${JSON.stringify(name.slice(0, 80))}… has ${String(name.length)} characters and a run carries ${String(MAX_CASE_NAME)}; shorten it`;
  return null;
}

/** The same without the name. @param files undefined: extra files are not looked at. */
export function taskTextProblem(
  task: Pick<Task, 'instruction' | 'extraInfo' | 'timeLimitMinutes'>,
  files: ReadonlyMap<string, Uint8Array> | undefined,
): TaskLimit | null {
  if (task.timeLimitMinutes > MAX_MINUTES)
    return { pointer: '/time_limit', message: `time_limit is above ${String(MAX_MINUTES)} minutes, a week; lower it` };
  return promptProblem(task) ?? (files === undefined ? null : extraProblem(task, files));
}

function promptProblem(task: Pick<Task, 'instruction' | 'extraInfo'>): TaskLimit | null {
  const prompt = buildAgentPrompt(task);
  const alone = buildAgentPrompt({ ...task, extraInfo: undefined });
  return textProblem('instruction', alone) ?? textProblem('extra_info', prompt);
}

function textProblem(field: string, prompt: string): TaskLimit | null {
  const pointer = `/${field}`;
  if (prompt.includes('\0'))
    return { pointer, message: `${field} holds a NUL character, which no variable of a process can; remove it` };
  if (!prompt.isWellFormed())
    return { pointer, message: `${field} holds half a character (a lone surrogate), which is no text; remove it` };
  const over = new TextEncoder().encode(prompt).byteLength - MAX_PROMPT_BYTES;
  if (over <= 0) return null;
  const message = `the prompt is ${String(over)} bytes longer than the ${String(MAX_PROMPT_BYTES)} that one variable of a process holds; shorten ${field}, or move text into a file of extra_info`;
  return { pointer, message };
}

function extraProblem(
  { extraInfo }: Pick<Task, 'extraInfo'>,
  files: ReadonlyMap<string, Uint8Array>,
): TaskLimit | null {
  const pointer = '/extra_info';
  try {
    const copied = copyExtraInfo(normalizeExtraInfo(extraInfo).entries, files, new Set(Object.values(MY_INFO_FILES)));
    const long = copied.files.find(({ name }) => new TextEncoder().encode(name).byteLength > MAX_FILE_NAME_BYTES);
    if (long !== undefined)
      return {
        pointer,
        message: `extra_info names a file of more than ${String(MAX_FILE_NAME_BYTES)} bytes in its name, ${JSON.stringify(long.name.slice(0, 40))}…; shorten it`,
      };
    const total = copied.files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    if (total <= MAX_EXTRA_MIB * 1024 * 1024) return null;
    return {
      pointer,
      message: `the files of extra_info are larger than ${String(MAX_EXTRA_MIB)} MiB together; shrink them`,
    };
  } catch (error) {
    if (error instanceof ExtraInfoError) return { pointer, message: error.message };
    throw error;
  }
}
