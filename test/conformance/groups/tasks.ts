/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-call -- the case files have as many shapes as groups */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { caseId, compareCases } from '../../../benchmark/task/case-name.ts';
import { copyExtraInfo, ExtraInfoError, normalizeExtraInfo } from '../../../benchmark/task/extra-info.ts';
import { fnmatch } from '../../../benchmark/text/fnmatch.ts';
import { isSelectedById, parseIdSelection, parseRange } from '../../../benchmark/task/id-selection.ts';
import { buildAgentPrompt } from '../../../benchmark/task/agent-prompt.ts';
import { jobOrder } from '../../../benchmark/task/job-order.ts';
import { safeModel } from '../../../benchmark/protocol/names.ts';
import { readSuite } from '../../../benchmark/task/suite.ts';
import { lintSchema } from '../../../benchmark/lint/task-lint.ts';
import { taskFromJson, TaskError, timeLimitSeconds } from '../../../benchmark/task/task.ts';
import { readFolder } from '../read-suite-folder.ts';
import { NotAvailableHere, type ConformanceEnvironment, type ConformanceGroup } from '../group.ts';

/** Task files, suites, names, the prompt. */
export const TASK_GROUPS: Readonly<Record<string, ConformanceGroup>> = {
  case_id: ({ input }) => ({ id: caseId(input.name) }),
  case_sort: ({ input }) => ({ sorted: [...input.names].sort(compareCases) }),
  case_range: ({ input }) => {
    const bounds = parseRange(input.range);
    return { bounds, exit_code: bounds === null ? 1 : null };
  },
  suite_discovery: ({ input, expected }, environment) => discover(input, expected, environment),
  task_validate: ({ input }) => ({
    runner_accepts: accepts(input.task),
    json_schema_accepts: lintSchema(input.task).length === 0,
  }),
  time_limit: ({ input }) => ({ seconds: timeLimitSeconds(input.time_limit_minutes) }),
  safe_model: ({ input }) => ({ safe: safeModel(input.model) }),
  model_pattern: ({ input }) => ({ matched: input.models.filter(fnmatch(input.pattern)) }),
  job_order: ({ input }) => ({
    jobs: jobOrder(input.cases as string[], input.models as string[], ['h'], 1).map(
      (job) => `${job.task}x${job.model}`,
    ),
  }),
  extra_info_normalize: ({ input }) => {
    const { entries, warnings } = normalizeExtraInfo(input.extra_info);
    return { entries, warnings: warnings.length };
  },
  extra_info_copy: ({ input }) => copy(input.path),
  instruction: ({ input }) => instruction(input.extra_info),
};

function accepts(task: unknown): boolean {
  try {
    taskFromJson(task);
    return true;
  } catch (error) {
    if (error instanceof TaskError) return false;
    throw error;
  }
}

function discover(input: any, expected: any, { corpora }: ConformanceEnvironment): unknown {
  const path = corpora === null ? null : join(corpora, input.suite);
  if (path === null || !existsSync(path))
    throw new NotAvailableHere(`the corpus ${input.suite} is not beside the case files`);
  const names = readSuite(readFolder(path)).cases.map((one) => one.listed);
  const ids = parseIdSelection(input.case_range ?? '');
  const chosen = ids === null ? names : names.filter((name) => isSelectedById(ids, name, null));
  if ('names' in expected) return { names: chosen };
  return { count: chosen.length, first: chosen[0], last: chosen.at(-1), path: `test-cases/${input.suite}` };
}

/** A task directory with one extra file and a symbolic link that points outside. */
function copy(path: string): unknown {
  const files = new Map([['extra_info/f.json', new Uint8Array([123, 125])]]);
  try {
    const copied = copyExtraInfo([{ path, description: 'd' }], files, new Set(), new Set(['link.txt']));
    return { copied_as: copied.files.map((file) => file.name), warnings: copied.warnings.length, rejected: false };
  } catch (error) {
    if (error instanceof ExtraInfoError) return { copied_as: [], warnings: 0, rejected: true };
    throw error;
  }
}

function instruction(extraInfo: unknown): unknown {
  const text = buildAgentPrompt({
    instruction: 'Buy one pear.',
    extraInfo: extraInfo === 'none' ? undefined : extraInfo,
  });
  const lines = text.split('\n');
  const names = ['alex_green_personal_info.json', 'email_credentials.json', 'alex_green_resume.pdf'];
  if (extraInfo === 'none') {
    return {
      starts_with_task_text: text.startsWith('Buy one pear.'),
      mentions_files: names.filter((name) => text.includes(name)),
      lists_extra_files: /\/my-info\/ :\n- (?!alex_green|email_)/.test(text),
    };
  }
  const file = lines.indexOf('- meal.json: the plan');
  const note = lines.indexOf('- be quick');
  return {
    file_line: file !== -1,
    note_line: note !== -1,
    files_before_notes: file < note,
    directory_prefix_in_line: lines.some((line) => line.startsWith('- extra_info/')),
  };
}
