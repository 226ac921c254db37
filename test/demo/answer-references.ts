import type { SuiteFile } from '../../benchmark/task/suite.ts';
import { readSuite } from '../../benchmark/task/suite.ts';
import { parseTask } from '../../benchmark/task/task.ts';

/**
 * A reference for `replay` from a research task's own reference solution: open the answer page, type it, send it. So
 * that the ceiling exists for tasks whose recorded human run is not to be had.
 * @returns ConfigMap data: `<case>.jsonl` → rows; cases without a reference solution have none.
 */
export function answerReferences(files: readonly SuiteFile[]): Readonly<Record<string, string>> {
  const entries = readSuite(files).cases.flatMap((one): [string, string][] => {
    const answer = parseTask(one.taskBytes).judgeContext?.['reference_solution'];
    return typeof answer === 'string' && answer.trim() !== '' ? [[`${one.name}.jsonl`, answerRows(answer.trim())]] : [];
  });
  return Object.fromEntries(entries);
}

/** Rows in the format of `actions.jsonl`, played by the replay harness. */
export function answerRows(answer: string): string {
  const rows = [
    { type: 'pageLoad', url: 'http://127.0.0.1:7878/submit' },
    { type: 'input', selector: '#answer', value: answer },
    { type: 'click', selector: '#submit' },
  ];
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
