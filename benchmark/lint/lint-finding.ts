/**
 * A finding of the linter. An error would stop a run or violates upstream's schema; a warning may be what the author
 * intended.
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
  /** One sentence, the remedy last. */
  readonly message: string;
}

export function lintError(code: LintCode, pointer: string, message: string): LintFinding {
  return { severity: 'error', code, pointer, message };
}

export function lintWarning(code: LintCode, pointer: string, message: string): LintFinding {
  return { severity: 'warning', code, pointer, message };
}
