import type { LintCode } from '../../benchmark/lint/lint-finding.ts';
import { lintSuite, type SuiteFinding } from '../../benchmark/lint/suite-lint.ts';
import { splitSuites, type SuiteTree } from '../../benchmark/task/suite-split.ts';
import { readSuite, SuiteError } from '../../benchmark/task/suite.ts';
import { readSuiteFolder, SuiteFolderError } from './read-folder.ts';

/** A finding in the output of `tasks lint --json`. */
export interface ReportedFinding {
  readonly path: string;
  readonly pointer: string;
  readonly code: LintCode;
  readonly message: string;
}

/** What `tasks lint --json` prints. */
export interface LintReport {
  readonly tasks: number;
  readonly errors: readonly ReportedFinding[];
  readonly warnings: readonly ReportedFinding[];
}

/** Lints folders, flat files and folders of suites. A file that cannot be read is an error in the report. */
export async function lintPaths(paths: readonly string[]): Promise<LintReport> {
  const parts = await Promise.all(paths.map(lintPath));
  const all = parts.flatMap((part) => part.findings);
  return {
    tasks: parts.reduce((sum, part) => sum + part.tasks, 0),
    errors: all.filter(({ severity }) => severity === 'error').map(reported),
    warnings: all.filter(({ severity }) => severity === 'warning').map(reported),
  };
}

interface Part {
  readonly tasks: number;
  readonly findings: readonly SuiteFinding[];
}

async function lintPath(path: string): Promise<Part> {
  const problems: SuiteFinding[] = [];
  try {
    const files = await readSuiteFolder(path, (problem) => problems.push(unreadable(problem.path, problem.problem)));
    const isFile = files.length === 1 && path.endsWith(files[0]?.path ?? '/');
    const below = (inside: string): string => (isFile ? path : `${path.replace(/\/+$/, '')}/${inside}`);
    const suites = splitSuites(files);
    const parts =
      suites.length === 0 && problems.length === 0 ? [empty(path)] : suites.map((one) => lintTree(one, below));
    return {
      tasks: parts.reduce((sum, part) => sum + part.tasks, 0),
      findings: [...problems, ...parts.flatMap((part) => part.findings)],
    };
  } catch (error) {
    if (!(error instanceof SuiteFolderError)) throw error;
    return { tasks: 0, findings: [unreadable(error.path, error.problem)] };
  }
}

function lintTree(tree: SuiteTree, below: (inside: string) => string): Part {
  try {
    const suite = readSuite(tree.files);
    return {
      tasks: suite.cases.length,
      findings: lintSuite(suite).map((finding) => ({ ...finding, path: below(finding.path) })),
    };
  } catch (error) {
    if (!(error instanceof SuiteError)) throw error;
    return { tasks: 0, findings: [unreadable(below(tree.root), error.message)] };
  }
}

function empty(path: string): Part {
  return { tasks: 0, findings: [unreadable(path, 'contains no tasks')] };
}

function unreadable(path: string, message: string): SuiteFinding {
  return { path, severity: 'error', code: 'read', pointer: '', message };
}

function reported({ path, pointer, code, message }: SuiteFinding): ReportedFinding {
  return { path, pointer, code, message };
}
