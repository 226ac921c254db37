import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCases } from './case-file.ts';
import { DIFFERENCES } from './differences.ts';
import { GROUPS, NOT_TRIED } from './groups/all.ts';
import { NotHere } from './group.ts';
import { runCases } from './run-cases.ts';

const root = join(import.meta.dirname, '..', '..');
const shared = join(root, '..', 'shared');
const directory = join(shared, 'conformance');
const corpora = join(shared, 'corpora');
if (!existsSync(directory)) console.log('notice: no case files at ../shared/conformance, their test is left out');

describe('conformance', () => {
  it.runIf(existsSync(directory))('no case fails', async () => {
    const verdicts = await runCases(readCases(directory), GROUPS, NOT_TRIED, {
      corpora: existsSync(corpora) ? corpora : null,
    });
    expect(verdicts.filter((verdict) => verdict.result === 'failed')).toEqual([]);
    expect(verdicts.filter((verdict) => verdict.result === 'passed').length).toBeGreaterThan(400);
  });

  it('every difference that can be printed has its row in docs/differences.md', () => {
    const page = readFileSync(join(root, 'docs', 'differences.md'), 'utf8');
    const rows = [...page.matchAll(/^\| ([a-z0-9_]+) \|/gm)].map((row) => row[1]).filter((name) => name !== 'group');
    expect(rows.sort()).toEqual(Object.keys(DIFFERENCES).sort());
  });
});

describe('the runner', () => {
  const one = { id: 'x-1', group: 'g', input: {}, expected: { a: 1, b: [2] }, quirk: false as boolean | string };
  const run = async (given: Partial<typeof one>, check: () => unknown): Promise<unknown> =>
    (await runCases([{ ...one, ...given }], { g: check, classify: check }, {}, { corpora: null }))[0];

  it('passes equal answers whatever the order of keys', async () => {
    expect(await run({}, () => ({ b: [2], a: 1 }))).toMatchObject({ result: 'passed' });
  });
  it('fails another answer, a throw and an unknown group', async () => {
    expect(await run({}, () => ({ a: 1, b: [3] }))).toMatchObject({ result: 'failed' });
    expect(
      await run({}, () => {
        throw new Error('no');
      }),
    ).toMatchObject({ result: 'failed' });
    expect(await run({ group: 'nobody' }, () => ({}))).toMatchObject({ result: 'failed' });
  });
  it('skips a quirk only where a difference is listed, and says the reason', async () => {
    expect(await run({ quirk: true }, () => ({}))).toMatchObject({ result: 'failed' });
    expect(await run({ quirk: true, group: 'classify' }, () => ({}))).toMatchObject({
      result: 'skipped',
      detail: DIFFERENCES['classify'],
    });
    expect(await run({ quirk: 'because', group: 'classify' }, () => ({}))).toMatchObject({
      result: 'skipped',
      detail: 'because',
    });
  });
  it('skips what this machine cannot show', async () => {
    expect(
      await run({}, () => {
        throw new NotHere('no corpus');
      }),
    ).toMatchObject({ result: 'skipped', detail: 'no corpus' });
  });
});
