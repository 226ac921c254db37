import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ExtraInfoError } from '../../benchmark/task/extra-info.ts';
import { buildAgentPrompt } from '../../benchmark/task/agent-prompt.ts';
import { myInfo, type MyInfo } from '../../benchmark/persona/my-info.ts';
import { MY_INFO_FILES } from '../../benchmark/protocol/pod-paths.ts';
import { NO_MAILBOX, type Mailbox } from '../../benchmark/persona/persona.ts';
import { personResume } from '../../benchmark/persona/resume.ts';
import { TaskMismatch, type LoadedCase } from './load-case.ts';
import { resumePdf } from './resume-pdf.ts';

export interface WrittenTask {
  readonly email: string;
  /** Upstream's four hashes. */
  readonly hashes: Readonly<Record<string, string>>;
  /** About `extra_info`, one sentence each. */
  readonly warnings: readonly string[];
  /** Values that the agent gets and no artifact may contain: the mailbox's password. */
  readonly secrets: readonly string[];
}

export interface WriteTaskOptions {
  readonly taskDir: string;
  readonly myInfoDir: string;
  readonly timeLimitSeconds: number;
  /** The attempt's mailbox; {@link NO_MAILBOX} without mail. */
  readonly mailbox?: Mailbox;
  /** More environment variables for the agent; single lines, no secrets. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Writes what the agent gets: the prompt and the environment for the shim, and `my-info`. Both folders are memory volumes
 * that the harness mounts read-only. The eval schema and the judge's context are not written.
 * @throws TaskMismatch when a file of the task points outside its directory.
 */
export async function writeTask(loaded: LoadedCase, options: WriteTaskOptions): Promise<WrittenTask> {
  const { task, suiteCase } = loaded;
  const mailbox = options.mailbox ?? NO_MAILBOX;
  const info = myInfoOrMismatch(task, suiteCase.files, mailbox);
  const put = (name: string, content: string | Uint8Array): Promise<void> =>
    writeFile(join(options.myInfoDir, basename(name)), content);
  await Promise.all([
    ...[...info.files].map(([name, bytes]) => put(name, bytes)),
    resumePdf(personResume(mailbox.email)).then((pdf) => put(MY_INFO_FILES.resume, pdf)),
    writeFile(join(options.taskDir, 'agent.env'), envFile(options)),
  ]);
  // Written last: its presence means that the rest is there.
  await writeFile(join(options.taskDir, 'instruction.txt'), buildAgentPrompt(task));
  return { email: mailbox.email, hashes: info.hashes, warnings: info.warnings, secrets: [mailbox.password] };
}

function envFile({ timeLimitSeconds, env }: WriteTaskOptions): string {
  const all = { TIME_LIMIT_S: String(timeLimitSeconds), ...env };
  return Object.entries(all)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

function myInfoOrMismatch(...input: Parameters<typeof myInfo>): MyInfo {
  try {
    return myInfo(...input);
  } catch (error) {
    if (error instanceof ExtraInfoError) throw new TaskMismatch(error.message);
    throw error;
  }
}
