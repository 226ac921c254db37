import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addReproduceCommand } from '../reproduce/command.ts';
import { addCompareCommand } from './command.ts';

afterEach(() => {
  process.exitCode = undefined;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

interface Run {
  readonly task: string;
  readonly intercepted: boolean;
  readonly lenient?: boolean | null | undefined;
  readonly strict?: boolean | null;
  readonly model?: string;
  readonly harness?: string;
}

function folderOf(runs: readonly Run[], root = mkdtempSync(join(tmpdir(), 'compare-'))): string {
  for (const [index, run] of runs.entries()) {
    const folder = join(root, `batch-1/${run.model ?? 'm'}/r${String(index)}`);
    mkdirSync(folder, { recursive: true });
    const { task, intercepted, model = 'm', harness = 'hermes' } = run;
    const category = intercepted ? 'intercepted' : 'model_not_intercepted';
    const meta = { test_case: task, intercepted, model, harness, result_category: category };
    writeFileSync(join(folder, 'run-meta.json'), JSON.stringify(meta));
    if (run.lenient !== undefined)
      writeFileSync(join(folder, 'judge_llm.json'), JSON.stringify({ match: run.lenient }));
    if (run.strict !== undefined) writeFileSync(join(folder, 'judge.json'), JSON.stringify({ match: run.strict }));
  }
  return root;
}

/** What a call prints as JSON, its exit code, and its sentence when it fails. */
async function call(...args: string[]): Promise<{ printed: Record<string, unknown>; code: unknown; sentence: string }> {
  const program = new Command().exitOverride().option('-o, --output <format>');
  addCompareCommand(program);
  addReproduceCommand(program);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => undefined });
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const failure = await program.parseAsync(['-o', 'json', ...args], { from: 'user' }).then(
    () => null,
    (error: unknown) => error as Error & { exitCode?: number },
  );
  const printed = JSON.parse((log.mock.calls.at(-1)?.[0] as string | undefined) ?? '{}') as Record<string, unknown>;
  return { printed, code: failure === null ? process.exitCode : failure.exitCode, sentence: failure?.message ?? '' };
}

describe('compare', () => {
  const a = folderOf([
    { task: '1', intercepted: true, lenient: true },
    { task: '2', intercepted: true, lenient: true },
    { task: '3', intercepted: false },
  ]);
  const b = folderOf([
    { task: '1', intercepted: true, lenient: false },
    { task: '2', intercepted: true, lenient: true },
    { task: '3', intercepted: false },
  ]);
  it('pairs the tasks of two folders', async () => {
    expect((await call('compare', a, b)).printed).toMatchObject({
      by: 'lenient',
      pairs: 3,
      both: 1,
      onlyA: 1,
      onlyB: 0,
      pValue: 1,
    });
    expect((await call('compare', a, b, '--by', 'intercepted')).printed).toMatchObject({
      both: 2,
      onlyA: 0,
      neither: 1,
    });
  });
  it('requires a choice between two models, and compares them within one batch', async () => {
    const both = folderOf([
      { task: '1', intercepted: true, lenient: true, model: 'm1' },
      { task: '1', intercepted: false, model: 'm2' },
    ]);
    expect(await call('compare', both, b)).toMatchObject({ code: 2, sentence: expect.stringContaining('--model-a') });
    const result = await call('compare', both, both, '--model-a', 'm1', '--model-b', 'm2');
    expect(result.printed).toMatchObject({ pairs: 1, onlyA: 1, difference: 1 });
  });
  it.each(['missing', 'null', 'cut', 'word'])(
    'a verdict that is %s does not count as a mismatch: its pair is excluded',
    async (kind) => {
      const verdict = { missing: undefined, null: null, cut: true, word: true }[kind];
      const other = folderOf([
        { task: '1', intercepted: true, lenient: true },
        { task: '2', intercepted: true, lenient: verdict },
        { task: '3', intercepted: false },
      ]);
      const file = join(other, 'batch-1/m/r1/judge_llm.json');
      if (kind === 'cut') writeFileSync(file, '{"match": tr');
      if (kind === 'word') writeFileSync(file, '{"match": "false"}');
      for (const [one, two] of [
        [a, other],
        [other, a],
      ] as const) {
        const { printed } = await call('compare', one, two);
        expect(printed).toMatchObject({
          pairs: 2,
          both: 1,
          onlyA: 0,
          onlyB: 0,
          neither: 1,
          unjudged: 1,
          difference: 0,
        });
      }
      expect((await call('compare', a, other, '--by', 'intercepted')).printed).toMatchObject({ pairs: 3, unjudged: 0 });
    },
  );
  it('an agentic verdict can be missing for a run without an interception', async () => {
    expect(await call('compare', a, b, '--by', 'agentic')).toMatchObject({
      printed: { pairs: 0, unjudged: 3 },
      code: 1,
    });
  });
  it('prints what was excluded in separate lines', async () => {
    const other = folderOf([
      { task: '1', intercepted: true },
      { task: '3', intercepted: false },
    ]);
    mkdirSync(join(other, 'batch-1/m/r9'));
    writeFileSync(join(other, 'batch-1/m/r9/run-meta.json'), '{"test_c');
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const program = new Command().exitOverride().option('-o, --output <format>');
    addCompareCommand(program);
    await program.parseAsync(['compare', a, other], { from: 'user' });
    const lines = String(log.mock.calls[0]?.[0]).split('\n');
    expect(lines).toContain('excluded: 1 pair without a verdict on both sides; run clawbench rescore to judge them');
    expect(lines).toContain('excluded: 0 unreadable runs of A and 1 of B');
  });
  it('reports that there is nothing to compare', async () => {
    expect(await call('compare', a, folderOf([{ task: '9', intercepted: false }]))).toMatchObject({ code: 1 });
    expect(await call('compare', a, b, '--by', 'luck')).toMatchObject({
      sentence: expect.stringContaining('Use one of'),
    });
  });
});

describe('reproduce', () => {
  /** 130 runs of which so many were intercepted and so many match. */
  const batch = (intercepted: number, lenient: number, strict: number): string =>
    folderOf(
      Array.from({ length: 130 }, (_, i) => {
        const verdicts = { lenient: i < lenient, strict: i < strict };
        return {
          task: String(i),
          model: 'gpt-5.5',
          intercepted: i < intercepted,
          ...(i < intercepted ? verdicts : {}),
        };
      }),
    );
  it('compares the three rates with the published ones', async () => {
    const near = await call('reproduce', '--model', 'gpt-5.5', '--dir', batch(59, 46, 24));
    expect(near.printed).toMatchObject({
      runs: 130,
      publishedRuns: 130,
      rows: [{ observed: 45.4, published: 45.4 }, {}, {}],
    });
    expect(near.code).toBeUndefined();
    const far = await call('reproduce', '--model', 'gpt-5.5', '--dir', batch(59, 46, 29));
    expect(far.printed['rows']).toMatchObject([
      { within: true },
      { within: true },
      { metric: 'strict', within: false },
    ]);
    expect(far.code).toBe(1);
    const wide = await call('reproduce', '--model', 'gpt-5.5', '--dir', batch(59, 46, 29), '--tolerance', '5');
    expect(wide.code).not.toBe(2);
    expect(wide.printed['rows']).toMatchObject([{ within: true }, { within: true }, { within: true }]);
  });
  it('compares only the given rubrics, and names missing verdicts', async () => {
    const dir = folderOf([{ task: '1', model: 'glm-5.1', intercepted: true, lenient: true }]);
    const lenient = await call('reproduce', '--model', 'glm-5.1', '--dir', dir, '--rubric', 'lenient');
    expect(lenient.printed['rows']).toHaveLength(2);
    const both = await call('reproduce', '--model', 'glm-5.1', '--dir', dir);
    expect(both).toMatchObject({ code: 1, sentence: expect.stringContaining('1 strict verdict is missing') });
  });
  it('uses only the runs of the model, and requires a choice between harnesses or models', async () => {
    const dir = folderOf([
      { task: '1', model: 'z-ai/glm-5.1', intercepted: false },
      { task: '2', model: 'other', intercepted: false },
      { task: '3', model: '', harness: 'null', intercepted: false },
      { task: '4', model: '', harness: 'replay', intercepted: false },
    ]);
    const ask = (...args: string[]): ReturnType<typeof call> => call('reproduce', '--dir', dir, '--model', ...args);
    expect((await ask('glm-5.1')).printed).toMatchObject({ runs: 1 });
    expect((await ask('gpt-5.5', '--run-model', 'other')).printed).toMatchObject({ runs: 1 });
    const refused: [string, string[]][] = [
      ['contains runs of no name, other, z-ai/glm-5.1, but none of gpt-5.5; use --run-model', ['gpt-5.5']],
      ['none of x', ['gpt-5.5', '--run-model', 'x']],
      ['contains runs with null, replay; use --harness', ['glm-5.1', '--run-model', '']],
      ['contains runs with hermes, but none with replay', ['glm-5.1', '--harness', 'replay']],
    ];
    for (const [sentence, args] of refused)
      expect(await ask(...args)).toMatchObject({ code: 2, sentence: expect.stringContaining(sentence) });
    expect((await ask('glm-5.1', '--run-model', '', '--harness', 'null')).printed).toMatchObject({ runs: 1 });
  });
  it('recognizes a model by each name of its row', async () => {
    const dir = folderOf([{ task: '1', model: 'deepseek-v4-flash', intercepted: false }]);
    expect((await call('reproduce', '--model', 'deepseek-v4-flash:free', '--dir', dir)).printed).toMatchObject({
      runs: 1,
    });
  });
  it('refuses other models', async () => {
    expect(await call('reproduce', '--model', 'x', '--dir', '.')).toMatchObject({ code: 2 });
  });
  it('downloads with the hf command, and reports if it is not installed', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'hf-'));
    const into = mkdtempSync(join(tmpdir(), 'traces-'));
    vi.stubEnv('PATH', bin);
    const missing = await call('reproduce', '--model', 'glm-5.1', '--dir', into, '--fetch');
    expect(missing).toMatchObject({ code: 2, sentence: expect.stringContaining('requires the hf command') });
    // A stand-in that puts one bundle where the real one puts what it downloaded.
    const run = `${into}/batch-aligned-20260520/glm-5.1/batch-1/m/r0`;
    const meta = '{"test_case":"1","intercepted":false,"model":"m","harness":"hermes"}';
    writeFileSync(
      join(bin, 'hf'),
      `#!/bin/sh\n[ "$1" = download ] || exit 9\nmkdir -p ${run}\necho '${meta}' > ${run}/run-meta.json\n`,
    );
    chmodSync(join(bin, 'hf'), 0o755);
    vi.stubEnv('PATH', [bin, '/bin', '/usr/bin'].join(delimiter));
    const fetched = await call('reproduce', '--model', 'glm-5.1', '--dir', into, '--fetch');
    expect(fetched.printed).toMatchObject({ runs: 1, rows: [{ observed: 0, published: 48.5, within: false }, {}, {}] });
  });
});
