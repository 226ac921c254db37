import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { forgetNote, noteOnce, readNote } from './boot-note.ts';

describe.runIf(process.platform === 'linux')('a note of what was found', () => {
  const dir = mkdtempSync(join(tmpdir(), 'boot-note-'));
  const path = join(dir, 'deep/note.json');
  afterAll(() => {
    rmSync(dir, { recursive: true });
  });

  it('keeps the first finding: a second up would note its own changes', async () => {
    await noteOnce(path, () => Promise.resolve({ panic: '0' }));
    await noteOnce(path, () => Promise.resolve({ panic: '10' }));
    expect(await readNote(path)).toEqual({ panic: '0' });
  });

  it('is void after a reboot, and then written again', async () => {
    const old = readFileSync(path, 'utf8').replace(/"bootId": "[^"]+"/, '"bootId": "an earlier boot"');
    writeFileSync(path, old);
    expect(await readNote(path)).toBeUndefined();
    await noteOnce(path, () => Promise.resolve({ panic: '5' }));
    expect(await readNote(path)).toEqual({ panic: '5' });
  });

  it('can be forgotten, also twice', async () => {
    await forgetNote(path);
    await forgetNote(path);
    expect(await readNote(path)).toBeUndefined();
  });
});
