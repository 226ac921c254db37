import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BROWSER_GROUPS } from '../browser/conformance/groups.ts';
import { readCases } from './case-file.ts';
import { DIFFERENCES } from './differences.ts';
import { BROWSER_TEST, GROUPS, leftToTheBrowser } from './groups/all.ts';
import { NotHere } from './group.ts';
import { runCases } from './run-cases.ts';

const root = join(import.meta.dirname, '..', '..');
const shared = join(root, '..', 'shared');
const directory = join(shared, 'conformance');
const corpora = join(shared, 'corpora');
if (!existsSync(directory)) console.log('notice: no case files at ../shared/conformance, their test is left out');

describe('conformance', () => {
  it.runIf(existsSync(directory))('no case fails, and what is skipped is left to the browser or listed', async () => {
    const elsewhere = leftToTheBrowser('the unit suite starts none');
    const verdicts = await runCases(readCases(directory), GROUPS, elsewhere, {
      corpora: existsSync(corpora) ? corpora : null,
    });
    expect(verdicts.filter((verdict) => verdict.result === 'failed')).toEqual([]);
    expect(verdicts.filter((verdict) => verdict.result === 'passed').length).toBeGreaterThan(400);
    expect(verdicts.filter((verdict) => verdict.result === 'skipped' && verdict.because === 'unlisted')).toEqual([]);
  });

  it.runIf(existsSync(directory))('no group is left out', () => {
    const groups = new Set(readCases(directory).map(({ group }) => group));
    expect(groups.size).toBeGreaterThanOrEqual(54);
    expect([...groups].filter((group) => GROUPS[group] === undefined && BROWSER_GROUPS[group] === undefined)).toEqual(
      [],
    );
  });

  it('what is left to the browser names a test that is there, and runs those groups', () => {
    const elsewhere = leftToTheBrowser('the unit suite starts none');
    expect(existsSync(join(root, BROWSER_TEST))).toBe(true);
    expect(Object.keys(elsewhere).sort()).toEqual(['attach', 'browser_e2e']);
    for (const [group, reason] of Object.entries(elsewhere)) {
      expect(BROWSER_GROUPS[group]).toBeTypeOf('function');
      expect(reason).toContain(BROWSER_TEST);
    }
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
  it('skips a quirk only where a difference is listed, and says the reason and what ours is', async () => {
    expect(await run({ quirk: true }, () => ({}))).toMatchObject({ result: 'failed' });
    expect(await run({ quirk: true, group: 'classify' }, () => ({ ours: 1 }))).toEqual({
      id: 'x-1',
      result: 'skipped',
      because: 'unlisted',
      detail: `${DIFFERENCES['classify']} (not checked; ours: {"ours":1})`,
    });
    expect(await run({ quirk: 'because', group: 'classify' }, () => ({}))).toMatchObject({
      result: 'skipped',
      detail: 'because (not checked; ours: {})',
    });
  });
  it('fails a listed difference whose answer is neither upstream’s nor the one listed instead', async () => {
    const listed = { quirk: 'because', group: 'classify', id: 'usage_emit-012' };
    expect(await run(listed, () => ({ upstream_rows: 1 }))).toMatchObject({ result: 'skipped', because: 'difference' });
    expect(await run(listed, () => ({ upstream_rows: 2 }))).toMatchObject({ result: 'failed' });
    expect(await run(listed, () => ({ a: 1, b: [2] }))).toMatchObject({ result: 'passed' });
  });
  it('fails a quirk that throws: falling over is no difference on purpose', async () => {
    const thrown = await run({ quirk: true, group: 'classify' }, () => {
      throw new Error('no');
    });
    expect(thrown).toMatchObject({ result: 'failed' });
  });
  it('skips what this machine cannot show', async () => {
    expect(
      await run({}, () => {
        throw new NotHere('no corpus');
      }),
    ).toMatchObject({ result: 'skipped', because: 'not-here', detail: 'no corpus' });
  });
});
