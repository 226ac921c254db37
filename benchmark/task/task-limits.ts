import { copyExtraInfo, ExtraInfoError, normalizeExtraInfo } from './extra-info.ts';
import { buildAgentPrompt } from './agent-prompt.ts';
import { MY_INFO_FILES } from '../protocol/pod-paths.ts';
import type { Task } from './task.ts';

/**
 * The limits of a task that come from how it reaches the agent: the shim passes the prompt as one environment variable, the
 * case's name becomes part of object names and keys, and extra files go into a memory volume. A task beyond a limit cannot
 * run on any node, so lint and `prepare` refuse it instead of letting each paid attempt fail.
 */

/** `execve` allows 32 pages for one string including its NUL (Linux, MAX_ARG_STRLEN; independent of the other strings). */
export const MAX_STRING_BYTES = 131_072;

/** Longest prompt (UTF-8): the variable is `INSTRUCTION=<prompt>`. It then also fits as a command-line argument of the agent. */
export const MAX_PROMPT_BYTES = MAX_STRING_BYTES - 'INSTRUCTION='.length - 1;

/** The limit of `spec.task.ref.case` of a run. Upstream's longest name has 181 characters. */
const MAX_CASE_NAME = 253;
/** Linux's limit for one file name. */
const MAX_FILE_NAME_BYTES = 255;
/** The volume has 16 MiB and also holds the persona's files. */
const MAX_EXTRA_MIB = 15;
/** The maximum of each of a batch's deadlines. */
const MAX_MINUTES = 7 * 24 * 60;

export interface TaskLimit {
  /** JSON pointer into the task file; empty: the task's name. */
  readonly pointer: string;
  /** One sentence without a full stop. */
  readonly message: string;
}

/** The first limit that a case exceeds; null: it can run. */
export function taskLimitProblem(
  name: string,
  task: Pick<Task, 'instruction' | 'extraInfo' | 'timeLimitMinutes'>,
  files: ReadonlyMap<string, Uint8Array>,
): TaskLimit | null {
  const named = caseNameProblem(name);
  return named === null ? taskTextProblem(task, files) : { pointer: '', message: named };
}

/** Why a case's name cannot be used; null when it can. */
export function caseNameProblem(name: string): string | null {
  if (/\p{Cc}/u.test(name) || !name.isWellFormed())
    return `the case name ${JSON.stringify(name.slice(0, 80))} contains a control character; rename the case`;
  if (name.length > MAX_CASE_NAME)
    return `the case name ${JSON.stringify(name.slice(0, 80))}… has ${String(name.length)} characters, more than the limit of ${String(MAX_CASE_NAME)}; shorten it`;
  return null;
}

/** The same without the name. @param files undefined: extra files are not checked. */
export function taskTextProblem(
  task: Pick<Task, 'instruction' | 'extraInfo' | 'timeLimitMinutes'>,
  files: ReadonlyMap<string, Uint8Array> | undefined,
): TaskLimit | null {
  if (task.timeLimitMinutes > MAX_MINUTES)
    return {
      pointer: '/time_limit',
      message: `time_limit exceeds ${String(MAX_MINUTES)} minutes (one week); lower it`,
    };
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
    return {
      pointer,
      message: `${field} contains a NUL character, which an environment variable cannot hold; remove it`,
    };
  if (!prompt.isWellFormed())
    return {
      pointer,
      message: `${field} contains a lone surrogate (half a character), which is not valid text; remove it`,
    };
  const over = new TextEncoder().encode(prompt).byteLength - MAX_PROMPT_BYTES;
  if (over <= 0) return null;
  const message = `the prompt is ${String(over)} bytes longer than the ${String(MAX_PROMPT_BYTES)} bytes that one environment variable can hold; shorten ${field}, or move text into a file of extra_info`;
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
        message: `the file name ${JSON.stringify(long.name.slice(0, 40))}… in extra_info is longer than ${String(MAX_FILE_NAME_BYTES)} bytes; shorten it`,
      };
    const total = copied.files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    if (total <= MAX_EXTRA_MIB * 1024 * 1024) return null;
    return {
      pointer,
      message: `the files of extra_info are larger than ${String(MAX_EXTRA_MIB)} MiB in total; make them smaller`,
    };
  } catch (error) {
    if (error instanceof ExtraInfoError) return { pointer, message: error.message };
    throw error;
  }
}
