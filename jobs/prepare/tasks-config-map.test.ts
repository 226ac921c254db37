import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { taskRow, type TaskRow } from '../../benchmark/protocol/job-messages.ts';
import { sha256Hex } from '../../benchmark/text/sha256.ts';
import type { JobConfig } from '../pod/job-config.ts';
import { readRowList } from '../judge/read-row-list.ts';
import { tasksConfigMap } from './tasks-config-map.ts';

const job = { batch: 'b', batchUID: 'uid', namespace: 'ns' } as JobConfig;
const rows = (count: number): TaskRow[] =>
  Array.from({ length: count }, (_, index) => ({
    case: `${String(index)}-travel-flights-a-platform-of-a-rather-long-name`,
    taskId: index,
    sha256: sha256Hex(String(index)),
    metaclass: 'travel',
    class: 'flights',
    group: 'Travel',
    site: 'shop.example.com',
    timeLimitSeconds: 1800,
    placeholder: false,
  }));

it.each([0, 10, 5000])('the judge Job reads back the list of %d tasks', async (count) => {
  const { data = {}, binaryData = {} } = tasksConfigMap(job, rows(count));
  const folder = mkdtempSync(join(tmpdir(), 'tasks-'));
  for (const [name, text] of Object.entries(data)) writeFileSync(join(folder, name), text);
  for (const [name, text] of Object.entries(binaryData)) writeFileSync(join(folder, name), Buffer.from(text, 'base64'));
  expect(await readRowList(join(folder, 'tasks.json'), (value) => taskRow.parse(value))).toEqual(rows(count));
});

it('a missing list has no rows', async () => {
  expect(await readRowList('/nonexistent/tasks.json', String)).toEqual([]);
});

it('reports which limit is exceeded, by how much, and the remedy', () => {
  expect(() => tasksConfigMap(job, rows(40_000))).toThrow(
    /^spec\.suite\.select: the list of the 40000 selected tasks is \d+ bytes larger, gzipped, than the 1 MiB .*further batches$/,
  );
});
