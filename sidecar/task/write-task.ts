import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { copyExtraInfo, ExtraInfoError, normalizeExtraInfo } from '../../benchmark/extra-info.ts';
import { buildInstruction } from '../../benchmark/instruction.ts';
import { mailCredentials, MY_INFO_FILES, NO_MAILBOX, personProfile } from '../../benchmark/persona.ts';
import { sha256Hex } from '../../benchmark/sha256.ts';
import { TaskMismatch, type LoadedCase } from './load-case.ts';
import { resumeContent } from './resume-content.ts';
import { resumePdf } from './resume-pdf.ts';

export interface WrittenTask {
  readonly email: string;
  /** Upstream's four hashes (upstream.md 2.3, 6.1). */
  readonly hashes: Readonly<Record<string, string>>;
  /** About `extra_info`, one sentence each. */
  readonly warnings: readonly string[];
}

export interface WriteTaskOptions {
  readonly taskDir: string;
  readonly myInfoDir: string;
  readonly timeLimitSeconds: number;
}

/**
 * Writes what the agent gets: the prompt and environment for the shim, and `my-info`. Both folders are memory volumes
 * that the harness mounts read-only. The eval schema and the judge's context stay here.
 * @throws TaskMismatch when a file of the task points outside its directory.
 */
export async function writeTask(loaded: LoadedCase, options: WriteTaskOptions): Promise<WrittenTask> {
  const { task, suiteCase } = loaded;
  const { entries, warnings } = normalizeExtraInfo(task.extraInfo);
  const mailbox = NO_MAILBOX;
  const profile = pretty(personProfile(mailbox.email));
  const resume = resumeContent(mailbox.email);
  const extras = extraFiles(entries, suiteCase.files);
  const put = (name: string, content: string | Uint8Array): Promise<void> =>
    writeFile(join(options.myInfoDir, basename(name)), content);
  await Promise.all([
    put(MY_INFO_FILES.profile, profile),
    put(MY_INFO_FILES.mail, pretty(mailCredentials(mailbox))),
    resumePdf(resume).then((pdf) => put(MY_INFO_FILES.resume, pdf)),
    ...extras.files.map(({ name, bytes }) => put(name, bytes)),
    writeFile(join(options.taskDir, 'agent.env'), `TIME_LIMIT_S=${String(options.timeLimitSeconds)}\n`),
  ]);
  // Last: its presence means that the rest is there.
  await writeFile(join(options.taskDir, 'instruction.txt'), buildInstruction(task));
  return {
    email: mailbox.email,
    hashes: {
      personal_info_source_json_sha256: sha256Hex(pretty(personProfile(''))),
      personal_info_json_sha256: sha256Hex(profile),
      resume_template_json_sha256: sha256Hex(pretty(resumeContent(''))),
      resume_pdf_source_json_sha256: sha256Hex(pretty(resume)),
    },
    warnings: [...warnings, ...extras.warnings],
  };
}

function extraFiles(
  entries: ReturnType<typeof normalizeExtraInfo>['entries'],
  files: ReadonlyMap<string, Uint8Array>,
): ReturnType<typeof copyExtraInfo> {
  try {
    return copyExtraInfo(entries, files, new Set(Object.values(MY_INFO_FILES)));
  } catch (error) {
    if (error instanceof ExtraInfoError) throw new TaskMismatch(error.message);
    throw error;
  }
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
