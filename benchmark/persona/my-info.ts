import { copyExtraInfo, normalizeExtraInfo } from '../task/extra-info.ts';
import { MY_INFO_FILES } from '../protocol/pod-paths.ts';
import { mailCredentials, personProfile, type Mailbox } from './persona.ts';
import { personResume } from './resume.ts';
import { sha256Hex } from '../text/sha256.ts';
import type { Task } from '../task/task.ts';

/** The files of a run's `/my-info`. The caller renders the résumé and adds it under its name in {@link MY_INFO_FILES}. */
export interface MyInfo {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly warnings: readonly string[];
  /** `run-meta.personal_info`. */
  readonly hashes: Readonly<Record<string, string>>;
}

/**
 * The persona's files and the task's extra files.
 * @param taskFiles the task directory, by path below it.
 * @throws ExtraInfoError when an extra file is outside the task's directory.
 */
export function myInfo(
  task: Pick<Task, 'extraInfo'>,
  taskFiles: ReadonlyMap<string, Uint8Array>,
  mailbox: Mailbox,
): MyInfo {
  const profile = json(personProfile(mailbox.email));
  const files = new Map([
    [MY_INFO_FILES.profile, profile],
    [MY_INFO_FILES.mail, json(mailCredentials(mailbox))],
  ] as [string, Uint8Array][]);
  const extra = normalizeExtraInfo(task.extraInfo);
  const copied = copyExtraInfo(extra.entries, taskFiles, new Set(Object.values(MY_INFO_FILES)));
  for (const { name, bytes } of copied.files) files.set(name, bytes);
  const resumeTemplate = sha256Hex(json(personResume('')));
  return {
    files,
    warnings: [...extra.warnings, ...copied.warnings],
    hashes: {
      personal_info_source_json_sha256: sha256Hex(json(personProfile(''))),
      personal_info_json_sha256: sha256Hex(profile),
      resume_template_json_sha256: resumeTemplate,
      resume_pdf_source_json_sha256: sha256Hex(json(personResume(mailbox.email))),
    },
  };
}

function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}
