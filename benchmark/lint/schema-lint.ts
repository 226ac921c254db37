import { issueSentence } from '../text/issue-sentence.ts';
import { jsonPointer } from '../text/json-pointer.ts';
import { taskSchema } from '../task/task-schema.ts';
import { lintError, type LintFinding } from './lint-finding.ts';

/** What upstream's JSON Schema would refuse. */
export function lintSchema(value: unknown): LintFinding[] {
  const checked = taskSchema.safeParse(value);
  return (checked.error?.issues ?? []).map((issue) =>
    lintError('schema', jsonPointer(issue.path), issueSentence(issue, value, 'the task')),
  );
}
