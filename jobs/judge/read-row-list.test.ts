import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packParts } from '../../benchmark/protocol/row-list.ts';
import { readRowList } from './read-row-list.ts';

it.each([
  ['in one part', 10, 1, 1],
  ['in several', 20_000, 1, 2],
  ['with parts that were not needed', 10, 3, 3],
])('a list comes as it was written: %s', async (_name, count, parts, least) => {
  const rows = Array.from({ length: count }, () => randomBytes(60).toString('hex'));
  const contents = packParts('runs.json', rows, parts);
  expect(contents.length).toBeGreaterThanOrEqual(least);
  const folder = mkdtempSync(join(tmpdir(), 'rows-'));
  for (const { data = {}, binaryData = {} } of contents) {
    for (const [name, text] of Object.entries(data)) writeFileSync(join(folder, name), text);
    for (const [name, text] of Object.entries(binaryData))
      writeFileSync(join(folder, name), Buffer.from(text, 'base64'));
  }
  expect(await readRowList(join(folder, 'runs.json'), (value) => value)).toEqual(rows);
});
