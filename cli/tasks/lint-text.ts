import { countOf } from '../../benchmark/text/count-of.ts';
import type { LintReport, ReportedFinding } from './lint.ts';

/** Further warnings of the same kind are summarized in one line: V1 alone has 69 patterns without an anchor. */
const SHOWN = 3;

/**
 * The report as text: all errors, the first warnings of each kind, and the counts.
 * @param all include all warnings
 */
export function lintText(report: LintReport, all: boolean): string {
  const kinds = Map.groupBy(report.warnings, ({ code }) => code);
  const warnings = [...kinds].flatMap(([code, found]) => {
    const shown = all || found.length <= SHOWN + 1 ? found : found.slice(0, SHOWN);
    const left = found.length - shown.length;
    const more = `warning ${code}: ${String(left)} more of this kind; use --all to print them`;
    return [...shown.map((one) => lintLine('warning', one)), ...(left === 0 ? [] : [more])];
  });
  const { errors } = report;
  const counts = `${countOf(report.tasks, 'task')}, ${countOf(errors.length, 'error')}, ${countOf(report.warnings.length, 'warning')}`;
  return [...errors.map((one) => lintLine('error', one)), ...warnings, counts].join('\n');
}

/** A finding as a line. */
export function lintLine(severity: 'error' | 'warning', { path, pointer, code, message }: ReportedFinding): string {
  return `${severity} ${code}: ${path}${isNamed(pointer, message) ? '' : `#${pointer}`}: ${message}`;
}

/** Whether the message begins with the field (`eval_schema.method` or its last part), so that it is not repeated. */
function isNamed(pointer: string, message: string): boolean {
  const subject = /^[^\s:;,]*/.exec(message)?.[0] ?? '';
  return pointer === '' || pointer.replaceAll('/', '.').endsWith(`.${subject}`);
}
