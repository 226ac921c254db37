import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../test/e2e-cluster/commands.ts';
import { openJudgeEndpoint, type JudgeEndpoint } from '../../test/e2e-cluster/open-judge-endpoint.ts';
import { upstreamProgram } from '../../test/e2e-cluster/upstream-program.ts';
import { writeBundles, type BundlePlan, type Layout } from '../../test/e2e-cluster/write-bundles.ts';

/**
 * Upstream's own `clawbench-rescore` and ours over the same 200 bundles with the same scripted judge: first each over a
 * copy that nobody judged, then each over the copy that the other judged, which must cost no call at all.
 */
const upstream = await upstreamProgram('clawbench-rescore').catch((error: unknown) => {
  console.log(`notice: upstream's package is not here, its test is left out (${String(error).slice(0, 200)})`);
  return null;
});

/** What judges say: plain, fenced, worded, wrong, none. */
const REPLIES = [
  '{"match": true, "reason": "right item, right quantity"}',
  '{"match": false, "reason": "wrong colour, \\"blue\\"; é"}',
  '```json\n{"match": true, "reason": "fenced"}\n```',
  '{"match": "yes", "reason": "a word"}',
  '{"match": "Mismatch.", "reason": "another, with, commas"}',
  'The verdict: match = false',
  '{"match": 1, "reason": "a number is none"}',
  null,
  null,
  '{"match": false, "reason": "two\\nlines"}',
];
const PLANS: readonly BundlePlan[] = Array.from({ length: 200 }, (_, i) => ({
  place: i % 100,
  model: i < 100 ? 'model-a' : 'model-b',
  reply: REPLIES[(i * 7) % REPLIES.length] ?? null,
}));

let endpoint: JudgeEndpoint;
let models: string;
const temporary = (): string => mkdtempSync(join(tmpdir(), 'rescore-'));

beforeAll(async () => {
  endpoint = await openJudgeEndpoint(0);
  models = join(temporary(), 'models.yaml');
  writeFileSync(models, `jm: {base_url: "${endpoint.base}", api_type: openai-completions, api_key: k}\n`);
});
afterAll(() => endpoint.close());

interface Tables {
  readonly perTask: string;
  readonly summary: unknown;
  readonly rescoreSummary: unknown;
}

/** Tables by batch, without the path of the copy. */
function tablesOf(root: string, out: string): Record<string, Tables> {
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('rescore-summary.json'),
  );
  const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8').replaceAll(root, ''));
  return Object.fromEntries(
    found.sort().map((path) => {
      const name = path.split('/').at(-2) ?? '';
      const perTask = readFileSync(join(out, name, 'per_task.csv'), 'utf8');
      return [
        name,
        { perTask, summary: json(join(out, name, 'summary.json')), rescoreSummary: json(join(root, path)) },
      ];
    }),
  );
}

async function byUpstream(root: string): Promise<Record<string, Tables>> {
  const out = temporary();
  const where = ['--sweep-root', root, '--eval-results-dir', out, '--models-yaml', models, '--judge-model', 'jm'];
  await run(upstream ?? '', [...where, '--rubric', 'both', '--workers', '8']);
  return tablesOf(root, out);
}

async function byOurs(root: string): Promise<Record<string, Tables>> {
  const out = temporary();
  const main = join(import.meta.dirname, '../main.ts');
  const where = [main, 'rescore', root, '--out', out, '--models', models, '--judge', 'jm'];
  // Replies without a verdict leave it missing, which is exit code 1.
  const arguments_ = [...where, '--rubric', 'both', '--workers', '8'];
  await run(process.execPath, arguments_).catch((error: unknown) => {
    if (!String(error).includes('verdicts are missing')) throw error;
  });
  return tablesOf(root, out);
}

const callsOf = async (work: () => Promise<unknown>): Promise<number> => {
  await endpoint.reset();
  await work();
  return (await endpoint.stats()).calls;
};

describe.skipIf(upstream === null)('rescoring 200 bundles', () => {
  it.each<[string, Layout]>([
    ['our layout', 'Ours'],
    ["upstream's layout", 'Upstream'],
  ])(
    '%s: both programs write the same tables, and take each other’s verdicts',
    async (_sentence, layout) => {
      const [mine, theirs] = [join(temporary(), 'sweep'), join(temporary(), 'sweep')];
      mkdirSync(mine);
      // Two batches of one name would overwrite each other's tables in upstream's results.
      const plans = layout === 'Ours' ? PLANS : PLANS.slice(0, 100);
      writeBundles(mine, plans, layout);
      cpSync(mine, theirs, { recursive: true });
      const intercepted = plans.filter((plan) => plan.reply !== null).length;

      const wanted = await byUpstream(theirs);
      const got = await byOurs(mine);
      expect(Object.keys(got)).toHaveLength(layout === 'Ours' ? 2 : 1);
      expect(got).toEqual(wanted);

      // Upstream takes a verdict without an answer for final; we ask three times for it, each time.
      const unanswered = plans.filter((plan) => plan.reply?.includes('a number')).length;
      expect(await callsOf(async () => expect(await byUpstream(mine)).toEqual(wanted))).toBe(0);
      expect(await callsOf(async () => expect(await byOurs(theirs)).toEqual(wanted))).toBe(2 * 3 * unanswered);
      expect(intercepted).toBe(plans.length * 0.8);
    },
    60_000,
  );
});
