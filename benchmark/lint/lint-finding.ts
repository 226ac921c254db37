/**
 * What the linter says. Errors are what would stop a run or break upstream's schema; warnings are true statements about
 * a task that its author may have meant so.
 */
export const LINT_CODES = [
  'read',
  'size',
  'encoding',
  'json',
  'task',
  'schema',
  'pattern',
  'filter',
  'limit',
  'extra-info',
  'navigation',
  'placeholder',
  'never',
  'unanchored',
  'duplicate',
  'site',
  'name',
] as const;
export type LintCode = (typeof LINT_CODES)[number];

export interface LintFinding {
  readonly severity: 'error' | 'warning';
  readonly code: LintCode;
  /** JSON pointer into the task file. */
  readonly pointer: string;
  /** One sentence with the remedy. */
  readonly message: string;
}

export function lintError(code: LintCode, pointer: string, message: string): LintFinding {
  return { severity: 'error', code, pointer, message };
}

export function lintWarning(code: LintCode, pointer: string, message: string): LintFinding {
  return { severity: 'warning', code, pointer, message };
}
