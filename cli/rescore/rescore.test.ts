import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  aModel,
  chatAnswer,
  openEndpoint,
  type ScriptedAnswer,
  type ScriptedEndpoint,
  type EndpointCall,
} from '../../judging/call/endpoint.fixture.ts';
import { writeBundles } from '../../test/e2e-cluster/write-bundles.ts';
import { openBundleLocation } from './open-bundle-location.ts';
import { rescore, type RescoreOptions, type RescoreReport } from './rescore.ts';

const YES = '{"match": true, "reason": "r"}';
let root: string;
let out: string;
let endpoint: ScriptedEndpoint;
let answer: (seen: EndpointCall, place: number) => ScriptedAnswer;

beforeEach(async () => {
  root = join(mkdtempSync(join(tmpdir(), 'rescore-')), 'sweep');
  mkdirSync(root);
  out = mkdtempSync(join(tmpdir(), 'rescore-out-'));
  answer = () => chatAnswer(YES);
  endpoint = await openEndpoint((seen, place) => answer(seen, place));
});
afterEach(() => endpoint.close());

const policy = { attempts: 2, baseSeconds: 0.001, capSeconds: 1, longestAskedSeconds: 5 };

async function again(changes: Partial<RescoreOptions> = {}): Promise<RescoreReport & { calls: number }> {
  const before = endpoint.seen.length;
  const report = await rescore(await openBundleLocation(root), {
    rubrics: ['Lenient'],
    passRubric: 'Lenient',
    model: aModel(endpoint.base),
    workers: 2,
    force: false,
    limit: 0,
    out,
    single: false,
    taskOf: () => null,
    references: null,
    policy,
    ...changes,
  });
  return { ...report, calls: endpoint.seen.length - before };
}

/** Bundles by their reply; null: nothing was intercepted. */
function bundles(replies: readonly (string | null)[]): string[] {
  writeBundles(
    root,
    replies.map((reply, place) => ({ place, model: 'm', reply })),
    'Ours',
  );
  return files('run-meta.json').map((path) => join(root, path, '..'));
}

const files = (name: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(`/${name}`))
    .sort();
const overall = (report: RescoreReport): unknown => report.batches[0]?.scores.overall;

describe('resuming', () => {
  it('judges only runs without a verdict, unless forced', async () => {
    bundles([YES, YES, null]);
    expect(await again()).toMatchObject({ calls: 2, judged: 2, missing: [], problems: [] });
    expect(await again()).toMatchObject({ calls: 0, judged: 0, missing: [] });
    expect(await again({ rubrics: ['Lenient', 'Strict'] })).toMatchObject({ calls: 2, missing: [] });
    expect(await again({ force: true })).toMatchObject({ calls: 2, judged: 2 });
    expect(await again({ force: true, limit: 1 })).toMatchObject({ calls: 1, judged: 1 });
  });

  it('an outage leaves no verdict, and the next call judges exactly the missing runs', async () => {
    bundles([YES, YES, YES, null]);
    await again({ limit: 1 });
    answer = () => ({ status: 503 });
    const down = await again();
    expect(down).toMatchObject({ judged: 0, missing: [{ rubric: 'Lenient' }, { rubric: 'Lenient' }] });
    expect(files('judge_llm.json')).toHaveLength(1);
    answer = () => chatAnswer(YES);
    expect(await again()).toMatchObject({ calls: 2, judged: 2, missing: [], problems: [] });
  });

  it('does not treat the error that upstream writes after an outage as a verdict', async () => {
    const [folder] = bundles([YES]);
    writeFileSync(join(folder ?? '', 'judge_llm.json'), '{"match": null, "error": "http_503", "judge_model": "jm"}');
    expect(await again()).toMatchObject({ calls: 1, missing: [] });
  });

  it.each([
    [402, 2],
    [401, 2],
  ])('HTTP %i of every key stops the queue at once and is not tried again', async (status, most) => {
    bundles(Array.from({ length: 20 }, () => YES));
    answer = () => ({ status });
    const report = await again({ workers: 1 });
    expect(report.calls).toBe(most);
    expect(report.missing).toHaveLength(20);
    expect(report.problems).toEqual([`judging stopped early: judge model jm answered HTTP ${String(status)}`]);
  });

  it('HTTP 400 is not retried, and the other runs are judged', async () => {
    bundles([YES, YES, YES]);
    answer = (_seen, place) => (place === 1 ? { status: 400 } : chatAnswer(YES));
    expect(await again({ workers: 1 })).toMatchObject({ calls: 3, judged: 2, missing: [{ rubric: 'Lenient' }] });
  });

  it('waits as long as the provider asks', async () => {
    bundles([YES]);
    answer = (_seen, place) => (place === 0 ? { status: 429, headers: { 'retry-after': '1' } } : chatAnswer(YES));
    const started = performance.now();
    expect(await again()).toMatchObject({ calls: 2, missing: [] });
    expect(performance.now() - started).toBeGreaterThan(990);
  });
});

describe('what is counted', () => {
  it('a stale verdict of a run without an interception is ignored', async () => {
    const [, stale] = bundles([YES, null]);
    writeFileSync(join(stale ?? '', 'judge_llm.json'), '{"match": true, "reason": "old", "judge_model": "jm"}');
    const report = await again();
    expect(overall(report)).toMatchObject({
      nTotal: 2,
      nIntercepted: 1,
      rubrics: { Lenient: { match: 1, rate: 0.5 } },
    });
    expect(report.calls).toBe(1);
  });

  it('the evaluator judges every run, intercepted or not, unless the infrastructure ended it', async () => {
    const [, , lost = ''] = bundles([YES, null, null]);
    const path = join(lost, 'run-meta.json');
    const meta = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...meta, clawbench: { cause: 'infrastructure' } }));
    answer = () => chatAnswer('{"match": false, "reason": "r", "evidence": []}');
    const report = await again({ rubrics: ['Agentic'], passRubric: 'Agentic' });
    expect(report.batches[0]?.scores.overall).toMatchObject({ nTotal: 3, nIntercepted: 1 });
    expect(report.missing.map(({ run }) => run)).not.toContainEqual(expect.stringContaining(lost.slice(root.length)));
    expect(readdirSync(lost)).not.toContain('votes');
    const asked = files('judge_agentic.json');
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['cut JSON', (path: string) => truncateSync(path, 90)],
    ['no UTF-8', (path: string) => writeFileSync(path, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))],
    ['a list', (path: string) => writeFileSync(path, '[]')],
    ['300 MB', (path: string) => truncateSync(path, 300e6)],
  ])('a run-meta that is %s stays in the denominator, and the others are judged', async (_sentence, damage) => {
    const [first] = bundles([YES, YES, null]);
    damage(join(first ?? '', 'run-meta.json'));
    const report = await again();
    expect(report.problems).toEqual([
      expect.stringMatching(/cannot be read \(.*\); the run counts as Infrastructure$/),
    ]);
    expect(overall(report)).toMatchObject({ nTotal: 3, nEligible: 2, rubrics: { Lenient: { match: 1 } } });
    expect(report.calls).toBe(1);
  });

  it.each([
    ['missing', (path: string) => truncateSync(path, 0)],
    ['100 MB large', (path: string) => truncateSync(path, 100e6)],
  ])('an interception that is %s is one sentence, one missing verdict and no call', async (_sentence, damage) => {
    const [first] = bundles([YES, YES]);
    damage(join(first ?? '', 'data/interception.json'));
    const report = await again();
    expect(report.problems).toHaveLength(1);
    expect(report.problems[0]).toMatch(/interception\.json/);
    expect(report.calls).toBe(1);
    expect(overall(report)).toMatchObject({ nTotal: 2 });
  });

  it('a cycle of links is not followed', async () => {
    const [first] = bundles([YES]);
    symlinkSync(root, join(root, 'loop'));
    symlinkSync(join(first ?? '', '..', '..'), join(first ?? '', '..', 'up'));
    expect(await again()).toMatchObject({ calls: 1, batches: [{ unreadable: 0 }] });
  });

  it('a link to the outside is reported and neither read nor written through; a pipe does not block', async () => {
    const [linked, inside, meta, votes, pipe] = bundles([YES, YES, YES, YES, YES]) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const outside = mkdtempSync(join(tmpdir(), 'private-'));
    writeFileSync(join(outside, 'private.json'), '{"request": {"url": "https://private.test/secret"}}');
    writeFileSync(join(outside, 'run-meta.json'), '{"test_case": "secret", "intercepted": true}');
    const replace = (file: string, target: string): void => {
      rmSync(file, { force: true, recursive: true });
      symlinkSync(target, file);
    };
    replace(join(linked, 'data/interception.json'), join(outside, 'private.json'));
    cpSync(join(inside, 'data/interception.json'), join(inside, 'data/real.json'));
    replace(join(inside, 'data/interception.json'), 'real.json');
    replace(join(meta, 'run-meta.json'), join(outside, 'run-meta.json'));
    replace(join(votes, 'votes'), outside);
    rmSync(join(pipe, 'data/interception.json'));
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(pipe, 'data/interception.json')]);
    const before = readdirSync(outside);
    const report = await again();
    const asked = JSON.stringify(endpoint.seen.map(({ body }) => body));
    expect(asked).not.toContain('private.test');
    expect(readdirSync(outside)).toEqual(before);
    const sentences = report.problems.join('\n');
    expect(sentences).toContain(`data/interception.json is a symbolic link to a target outside ${root}`);
    expect(sentences).toContain(`run-meta.json is a symbolic link to a target outside ${root}`);
    expect(sentences).not.toContain(inside);
  });

  it('batches of the same name have separate tables', async () => {
    const keys = ['a/m/batch-1', 'b/m/batch-1', 'c/m/batch-1', 'd/batch-2/batch-1', 'e/m/batch-2--batch-1'];
    for (const [place, key] of keys.entries()) {
      for (let run = 0; run <= place; run += 1) {
        const folder = join(root, key, `r${String(run)}`);
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, 'run-meta.json'), `{"test_case": "c${String(run)}", "intercepted": false}`);
      }
    }
    const report = await again();
    const totals = readdirSync(out).map(
      (name) => (JSON.parse(readFileSync(join(out, name, 'summary.json'), 'utf8')) as { n_total: number }).n_total,
    );
    expect(report.batches).toHaveLength(5);
    expect(totals.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('a folder without a batch directory is treated as a batch', async () => {
    const folder = join(root, 'r1');
    mkdirSync(join(folder, 'data'), { recursive: true });
    writeFileSync(join(folder, 'run-meta.json'), '{"test_case": "c", "intercepted": true, "instruction": "i"}');
    writeFileSync(join(folder, 'data/interception.json'), '{"request": {"url": "u"}}');
    expect((await again()).batches.map((batch) => batch.batch)).toEqual(['sweep']);
    expect(JSON.parse(readFileSync(join(out, 'sweep/summary.json'), 'utf8'))).toMatchObject({
      n_total: 1,
      match_lenient: 1,
    });
  });
});

it('gives the strict rubric the judge_context that the agent does not see', async () => {
  bundles([YES]);
  const context = { rubric: 'THE RUBRIC', gold_answer: 'GOLD' };
  await again({ rubrics: ['Strict'], taskOf: () => ({ instruction: 'THE TASK', judgeContext: context }) });
  const asked = JSON.stringify(endpoint.seen[0]?.body);
  expect(asked).toContain('THE RUBRIC');
  expect(asked).toContain('THE TASK');
  expect(asked).not.toContain('GOLD');
});
