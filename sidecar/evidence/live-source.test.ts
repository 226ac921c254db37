import { appendFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { byteSource, rowSource, transcriptSource, type LiveSource } from './live-source.ts';
import { openSecrets } from './secrets.ts';

const root = await mkdtemp(join(tmpdir(), 'live-source-'));
afterAll(() => rm(root, { recursive: true, force: true }));

const cap = 1024 * 1024;
const KINDS: readonly (readonly [string, (path: string) => LiveSource])[] = [
  ['a transcript', (path) => transcriptSource({ name: 't', path, cap }, openSecrets(['planted-secret-value']))],
  ["the recorder's own rows", (path) => rowSource({ name: 'r', path, cap })],
  ['bytes', (path) => byteSource({ name: 'b', path, cap })],
];

/** What the store would hold: chunks joined, from the last restart on. */
async function stored(source: LiveSource, before: string): Promise<string> {
  let text = before;
  for (let piece = await source.next(); piece !== null; piece = await source.next()) {
    text = (piece.restarted ? '' : text) + piece.bytes.toString();
    piece.uploaded();
  }
  return text;
}

const rows = (from: number, to: number, word = 'step'): string =>
  Array.from({ length: to - from }, (_, i) => `{"${word}":${String(from + i)}}\n`).join('');

describe.each(KINDS)('%s in the store', (kind, open) => {
  it.each([
    ['grows row by row', [rows(0, 3)], (path: string) => appendFile(path, rows(3, 9))],
    [
      'is rewritten after each step, the same rows and one more',
      [rows(0, 30)],
      (path: string) => writeFile(path, rows(0, 31)),
    ],
    [
      'is rewritten with other rows of the same length',
      [rows(0, 30)],
      (path: string) => writeFile(path, rows(0, 30, 'item')),
    ],
    [
      'is rewritten and longer, with other rows',
      [rows(0, 30)],
      (path: string) => writeFile(path, rows(0, 60, 'other')),
    ],
    ['is rewritten and shorter', [rows(0, 30)], (path: string) => writeFile(path, rows(0, 4, 'other'))],
    [
      'is emptied, seen empty, and rewritten, longer',
      [rows(0, 30), ''],
      (path: string) => writeFile(path, rows(0, 60, 'other')),
    ],
    [
      'is replaced by another file',
      [rows(0, 30)],
      async (path: string) => {
        await writeFile(`${path}.new`, rows(0, 60, 'other'));
        await rename(`${path}.new`, path);
      },
    ],
  ] as const)('is what the file is when it %s', async (_, before, change) => {
    const path = join(root, `${kind} ${String(Math.random())}`);
    const source = open(path);
    let text = '';
    for (const content of before) {
      await writeFile(path, content);
      text = await stored(source, text);
    }
    await change(path);
    text = await stored(source, text);
    expect(text).toBe(await readFile(path, 'utf8'));
  });

  it('returns nothing for a file that did not change', async () => {
    const path = join(root, `${kind} still`);
    await writeFile(path, rows(0, 5));
    const source = open(path);
    await stored(source, '');
    expect(await source.next()).toBeNull();
  });
});
