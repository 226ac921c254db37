import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { openRowWriter, type RowWriterOptions } from './row-writer.ts';

const root = await mkdtemp(join(tmpdir(), 'row-writer-'));
afterAll(() => rm(root, { recursive: true, force: true }));
let count = 0;
function options(change: Partial<RowWriterOptions<string>> = {}): RowWriterOptions<string> & { notes: string[] } {
  const notes: string[] = [];
  return {
    path: join(root, `${String(count++)}.jsonl`),
    name: 'rows.jsonl',
    cap: 1_000_000,
    queueBytes: 1_000_000,
    sizeOf: (row) => row.length,
    render: (row) => row,
    onNote: (note) => notes.push(note),
    onDiskError: (error) => {
      throw error;
    },
    notes,
    ...change,
  };
}

test('keeps order across many pushes and turns', async () => {
  const given = options();
  const writer = await openRowWriter(given);
  for (let n = 0; n < 5000; n++) {
    writer.push(String(n));
    if (n % 1000 === 0) await writer.drained();
  }
  await writer.close();
  const lines = (await readFile(given.path, 'utf8')).trimEnd().split('\n');
  expect(lines).toEqual(Array.from({ length: 5000 }, (_, n) => String(n)));
  expect(writer.rows).toBe(5000);
});

test('a row that does not fit into the queue is shrunk, then dropped, and a note says so', async () => {
  const given = options({ queueBytes: 20, shrink: () => 'light' });
  const writer = await openRowWriter(given);
  for (const row of ['0123456789', 'abcdefghij-too-much', 'abcdefghij-too-much', 'abcdefghij-too-much'])
    writer.push(row);
  await writer.close();
  expect(await readFile(given.path, 'utf8')).toBe('0123456789\nlight\nlight\n');
  expect(writer.rows).toBe(3);
  expect(given.notes).toEqual(['rows.jsonl: rows came faster than they could be written; some are missing.']);
});

test('push returns before anything is rendered, and rows after close are ignored', async () => {
  let rendered = 0;
  const given = options({ render: (row) => `${row}${String((rendered += 1))}` });
  const writer = await openRowWriter(given);
  writer.push('a');
  expect(rendered).toBe(0);
  await writer.close();
  writer.push('b');
  await writer.drained();
  expect(await readFile(given.path, 'utf8')).toBe('a1\n');
});

test('each line is measured once, not together with all lines before it', async () => {
  const given = options();
  const writer = await openRowWriter(given);
  const measure = vi.spyOn(Buffer, 'byteLength');
  for (let n = 0; n < 1000; n++) writer.push(`é${String(n)}`);
  await writer.close();
  const measured = measure.mock.calls.reduce((sum, [text]) => sum + (text as string).length, 0);
  measure.mockRestore();
  const written = await readFile(given.path);
  expect(writer.bytes).toBe(written.length);
  expect(measured).toBeLessThan(2 * written.length);
});
