import { normalizeExtraInfo, type ExtraInfo } from './extra-info.ts';
import { MY_INFO_FILES } from '../protocol/pod-paths.ts';
import type { Task } from './task.ts';

/**
 * The agent's prompt: upstream's rules in our own words. The task's text comes first, verbatim; the judge's context and the
 * metadata are never included.
 */
export function buildAgentPrompt(task: Pick<Task, 'instruction' | 'extraInfo'>): string {
  const { entries } = normalizeExtraInfo(task.extraInfo);
  const files = entries.filter((entry) => entry.path !== undefined);
  const notes = entries.filter((entry) => entry.path === undefined);
  return [
    task.instruction,
    RULES,
    ...section(FILES_HEADING, files, fileLine),
    ...section(NOTES_HEADING, notes, noteLine),
  ].join('\n');
}

const RULES = `
---
You are the personal browser assistant of the user who wrote the task above, and you act in the user's name with full
authority: sign in, fill in forms, write reviews, book, apply, send mail and open accounts as the task needs.

Do all of it in the browser, as a person would. Terminal commands, scripts, direct calls of an API and sending mail over
SMTP are not allowed as a way to do the task.

What you need to know about the user lies in ./my-info/ :
- ${MY_INFO_FILES.profile}: who the user is, contact, addresses, education, work, payment and identity data
- ${MY_INFO_FILES.mail}: the user's mailbox, its password and where to sign in
- ${MY_INFO_FILES.resume}: the user's curriculum vitae

You may use everything in there for any step, security questions and payments included. Where a site asks for an account,
register with the mailbox; it receives mail, confirmation codes too. Leave optional fields empty or as they are. If
something required is missing and cannot be worked out, stop and say what is missing. Never ask for confirmation: go on
until the task is done.
---
`;
const FILES_HEADING = '\nFurther files for this task are in /my-info/ :';
const NOTES_HEADING = '\nFurther notes on this task:';

function section(heading: string, entries: readonly ExtraInfo[], line: (entry: ExtraInfo) => string): string[] {
  return entries.length === 0 ? [] : [heading, ...entries.map(line)];
}

function fileLine(entry: ExtraInfo): string {
  const path = entry.path ?? '';
  return `- ${path.slice(path.lastIndexOf('/') + 1)}: ${entry.description}`;
}

function noteLine(entry: ExtraInfo): string {
  return `- ${entry.description}`;
}
