import { stringify } from 'csv-stringify/sync';
import { pythonText } from '../text/python-text.ts';
import { upstreamTaskRow, type RescoreInput } from './upstream-rescore.ts';

/** `per_task.csv` as upstream writes it: CRLF, Python's booleans, None as an empty field. */
export function perTaskCsv(input: Pick<RescoreInput, 'runs' | 'rubrics'>): string {
  const columns = [
    'task_id',
    'test_case',
    'intercepted',
    ...input.rubrics.flatMap((rubric) => [`match_${rubric}`, `reason_${rubric}`]),
  ];
  return csv(
    columns,
    input.runs.map((run) => upstreamTaskRow(run, input.rubrics)),
  );
}

/** A table with a header row; a key that a row does not have is an empty field. */
export function csv(columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  const cells = rows.map((row) => columns.map((column) => cell(row[column])));
  // A single CR or LF inside a field must be quoted too, as Python's writer does.
  return stringify([[...columns], ...cells], { record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
}

function cell(value: unknown): string {
  return value === null || value === undefined ? '' : pythonText(value);
}
