import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BROWSER_GROUPS } from '../browser/conformance/groups.ts';
import { readCases, type ConformanceCase } from './case-file.ts';
import { DIFFERENCE_REASONS } from './difference-reasons.ts';
import { BROWSER_TEST, CONFORMANCE_GROUPS, leftToTheBrowser } from './groups/all.ts';
import { NotAvailableHere } from './group.ts';
import { IGNORED_FIELDS, ignoredFieldsOf } from './ignored-fields.ts';
import { runCases } from './run-cases.ts';
import { CASE_FILES, corporaOrNull as corpora, hasCaseFiles } from '../shared-data.ts';

const root = join(import.meta.dirname, '..', '..');

/** The only cases that may say {@link NotAvailableHere}, and why. */
const NOT_HERE: Readonly<Record<string, string>> = {
  'suite_discovery-002': 'the corpus v2 is not public',
  'suite_discovery-006': 'the corpus v2 is not public',
};

describe('conformance', () => {
  it.runIf(hasCaseFiles)(
    'no case fails, and every skipped case is run with a browser or listed',
    async () => {
      const elsewhere = leftToTheBrowser('the unit suite starts none');
      const verdicts = await runCases(readCases(CASE_FILES), CONFORMANCE_GROUPS, elsewhere, { corpora });
      expect(verdicts.filter((verdict) => verdict.result === 'failed')).toEqual([]);
      expect(verdicts.filter((verdict) => verdict.result === 'passed').length).toBeGreaterThan(400);
      const notHere = verdicts.filter((verdict) => verdict.result === 'skipped' && verdict.because === 'not-here');
      // Without any corpus more cases cannot run; who has them, has exactly these.
      const allowed =
        corpora !== null
          ? Object.keys(NOT_HERE)
          : readCases(CASE_FILES).flatMap(({ id }) => (isNotHere(id) ? [id] : []));
      expect(notHere.map(({ id }) => id).sort()).toEqual(allowed.sort());
      expect(verdicts.filter((verdict) => verdict.result === 'skipped' && verdict.because === 'unlisted')).toEqual([]);
    },
    60_000,
  );

  it.runIf(hasCaseFiles)('every ignored field occurs in a case', () => {
    const left = readCases(CASE_FILES).flatMap((one) => ignoredFieldsOf(one));
    for (const { fields, reason } of IGNORED_FIELDS) {
      const found = left.filter((one) => one.reason === reason).map(({ field }) => field);
      expect(new Set(found)).toEqual(new Set(fields));
    }
  });

  it.runIf(hasCaseFiles)(
    'a changed value of any compared field is detected',
    async () => {
      const tried: string[] = [];
      const blind: string[] = [];
      for (const one of readCases(CASE_FILES).filter(
        ({ id, group }) => CONFORMANCE_GROUPS[group] !== undefined && !isNotHere(id),
      )) {
        for (const [path, changed] of changesOfCompared(one)) {
          tried.push(path);
          if (await isAccepted(changed)) blind.push(`${one.id}: ${path}`);
        }
      }
      expect(blind).toEqual([]);
      expect(tried.length).toBeGreaterThan(1500);
    },
    60_000,
  );

  it.runIf(hasCaseFiles)('every group has a runner', () => {
    const groups = new Set(readCases(CASE_FILES).map(({ group }) => group));
    expect(groups.size).toBeGreaterThanOrEqual(54);
    expect(
      [...groups].filter((group) => CONFORMANCE_GROUPS[group] === undefined && BROWSER_GROUPS[group] === undefined),
    ).toEqual([]);
  });

  it('the groups left to the browser name an existing test that runs them', () => {
    const elsewhere = leftToTheBrowser('the unit suite starts none');
    expect(existsSync(join(root, BROWSER_TEST))).toBe(true);
    expect(Object.keys(elsewhere).sort()).toEqual(['attach', 'browser_e2e']);
    for (const [group, reason] of Object.entries(elsewhere)) {
      expect(BROWSER_GROUPS[group]).toBeTypeOf('function');
      expect(reason).toContain(BROWSER_TEST);
    }
  });

  it('every difference has its row in docs/differences.md', () => {
    const page = readFileSync(join(root, 'docs', 'differences.md'), 'utf8');
    const rows = [...page.matchAll(/^\| ([a-z0-9_]+) \|/gm)].map((row) => row[1]).filter((name) => name !== 'group');
    expect(rows.sort()).toEqual(Object.keys(DIFFERENCE_REASONS).sort());
  });
});

function isNotHere(id: string): boolean {
  return NOT_HERE[id] !== undefined || (corpora === null && id.startsWith('suite_discovery-'));
}

/** Whether the first test would be content with the case. */
async function isAccepted(one: ConformanceCase): Promise<boolean> {
  const [verdict] = await runCases([one], CONFORMANCE_GROUPS, {}, { corpora });
  return verdict?.result === 'passed' || (verdict?.result === 'skipped' && verdict.because !== 'unlisted');
}

/** The case with one compared value of its answer changed at a time, by the value's path. */
function changesOfCompared(one: ConformanceCase): (readonly [string, ConformanceCase])[] {
  const left = new Set(ignoredFieldsOf(one).map(({ field }) => field));
  return changesOf(one.expected)
    .filter(([path]) => !left.has(path.split('.')[0] ?? ''))
    .map(([path, expected]) => [path, { ...one, expected }]);
}

/** The answer with one value changed at a time, by the value's path. */
function changesOf(value: unknown): (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [['', otherThan(value)]];
  return Object.entries(value).flatMap(([key, inner]) =>
    changesOf(inner).map(([path, changed]) => {
      const whole: unknown = Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
      return [path === '' ? key : `${key}.${path}`, whole] as const;
    }),
  );
}

function otherThan(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 17;
  return typeof value === 'bigint' ? value + 17n : { other: 'than it was' };
}

describe('the runner', () => {
  const one = { id: 'x-1', group: 'g', input: {}, expected: { a: 1, b: [2] }, quirk: false as boolean | string };
  const run = async (given: Partial<typeof one>, check: () => unknown): Promise<unknown> =>
    (await runCases([{ ...one, ...given }], { g: check, classify: check }, {}, { corpora: null }))[0];

  it('passes equal answers, whatever the order of keys', async () => {
    expect(await run({}, () => ({ b: [2], a: 1 }))).toMatchObject({ result: 'passed' });
  });
  it('fails a different answer, an exception and an unknown group', async () => {
    expect(await run({}, () => ({ a: 1, b: [3] }))).toMatchObject({ result: 'failed' });
    expect(
      await run({}, () => {
        throw new Error('no');
      }),
    ).toMatchObject({ result: 'failed' });
    expect(await run({ group: 'nobody' }, () => ({}))).toMatchObject({ result: 'failed' });
  });
  it('skips a quirk only where a difference is listed, and prints the reason and our answer', async () => {
    expect(await run({ quirk: true }, () => ({}))).toMatchObject({ result: 'failed' });
    expect(await run({ quirk: true, group: 'classify' }, () => ({ ours: 1 }))).toEqual({
      id: 'x-1',
      result: 'skipped',
      because: 'unlisted',
      detail: `${DIFFERENCE_REASONS['classify']} (not checked; ours: {"ours":1})`,
    });
    expect(await run({ quirk: 'because', group: 'classify' }, () => ({}))).toMatchObject({
      result: 'skipped',
      detail: 'because (not checked; ours: {})',
    });
  });
  it('fails a listed difference whose answer is neither upstream’s nor the intended one', async () => {
    const expected = { upstream_rows: 0 } as never;
    const listed = { quirk: 'because', group: 'classify', id: 'usage_emit-012', expected };
    expect(await run(listed, () => ({ upstream_rows: 1 }))).toMatchObject({ result: 'skipped', because: 'difference' });
    expect(await run(listed, () => ({ upstream_rows: 2 }))).toMatchObject({ result: 'failed' });
    expect(await run(listed, () => ({ upstream_rows: 0 }))).toMatchObject({ result: 'passed' });
  });
  it('fails a listed difference that records a different answer of upstream', async () => {
    const listed = {
      quirk: 'because',
      group: 'classify',
      id: 'usage_emit-012',
      expected: { upstream_rows: 1 } as never,
    };
    expect(await run(listed, () => ({ upstream_rows: 2 }))).toMatchObject({ result: 'failed' });
    expect(await run(listed, () => ({ upstream_rows: 1 }))).toMatchObject({ result: 'passed' });
  });
  it('fails an unlisted difference that misses what the case itself marks as correct', async () => {
    const told = { quirk: true, group: 'classify', expected: { upstream: 1, true_total: 2 } as never };
    expect(await run(told, () => ({ upstream: 2, true_total: 2 }))).toMatchObject({ because: 'unlisted' });
    expect(await run(told, () => ({ upstream: 2, true_total: 3 }))).toMatchObject({ result: 'failed' });
  });
  it('fails a quirk that throws: an exception is not an intended difference', async () => {
    const thrown = await run({ quirk: true, group: 'classify' }, () => {
      throw new Error('no');
    });
    expect(thrown).toMatchObject({ result: 'failed' });
  });
  it('skips a case that cannot run on this machine', async () => {
    expect(
      await run({}, () => {
        throw new NotAvailableHere('no corpus');
      }),
    ).toMatchObject({ result: 'skipped', because: 'not-here', detail: 'no corpus' });
  });
});
