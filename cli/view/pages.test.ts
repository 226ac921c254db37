import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { expect, it } from 'vitest';
import { VERDICT_FILES } from '../../benchmark/judge/verdict-file.ts';
import { aFolder, bundleFiles, PATH, aBundle, writeFiles } from './bundle.fixture.ts';
import { findRuns } from './find-runs.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { renderIndex } from './render-index.ts';
import { renderRun } from './render-run.ts';
import { readRunView } from './run-view.ts';

const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(2)>javascript:alert(3)\u202e`;

/** Every string of a file replaced, keys too where they are free. */
function poisoned(value: unknown): unknown {
  if (typeof value === 'string') return HOSTILE;
  if (Array.isArray(value)) return value.map(poisoned);
  if (typeof value !== 'object' || value === null) return value;
  return { ...Object.fromEntries(Object.entries(value).map(([k, v]) => [k, poisoned(v)])), [HOSTILE]: HOSTILE };
}

async function hostileFolder(): Promise<string> {
  const root = await aFolder();
  const files = Object.entries({ ...bundleFiles(), 'judge_llm.json': { match: false, reason: '', judge_model: '' } });
  const schema = { schema: { url_pattern: '', method: '' }, request: null };
  const bad = files.map(([path, content]) => [`${HOSTILE.replaceAll('/', '')}/${path}`, poisoned(content)] as const);
  await writeFiles(root, Object.fromEntries(bad));
  await writeFiles(root, {
    'b/run-meta.json': poisoned({ clawbench: { cause: 'x', notes: ['n'], outcome: 'o', reason: 'r' } }),
  });
  await writeFiles(root, { 'b/data/interception.json': poisoned(schema) });
  return root;
}

const tags = (page: string, pattern: RegExp): readonly string[] => page.match(pattern) ?? [];

function expectHarmless(page: string): void {
  expect(tags(page, /<script/gi)).toHaveLength(1);
  // Whatever is inside a tag of ours: no handler, no style, and addresses of ours only.
  const inside = tags(page, /<[a-z][^>]*>/gi);
  expect(inside.filter((tag) => /\son\w+\s*=|\sstyle\s*=/i.test(tag.replaceAll(/"[^"]*"/g, '""')))).toEqual([]);
  const links = inside.flatMap((tag) =>
    [...tag.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map((match) => match[1] ?? ''),
  );
  expect(links.length).toBeGreaterThan(3);
  expect(links.filter((link) => !/^\/(?!\/)/.test(link))).toEqual([]);
  expect(page).not.toContain('<img src=x');
  expect(page).not.toContain('\u202e');
}

it('shows untrusted text as text', async () => {
  const root = await hostileFolder();
  const found = await findRuns(root);
  expect(found.runs).toHaveLength(2);
  const index = renderIndex(HOSTILE, found, { outcome: '', harness: '' });
  expectHarmless(index);
  for (const run of found.runs) {
    const view = await readRunView(root, run.path);
    if (view === null) throw new Error('no view');
    const page = renderRun(view);
    expectHarmless(page);
    expect(page).toContain('&lt;script&gt;alert(1)');
  }
});

it('shows a run: instruction, verdict, request, and actions with their times', async () => {
  const root = await aBundle();
  const view = await readRunView(root, PATH);
  if (view === null) throw new Error('no view');
  const page = renderRun(view).replaceAll(/\s+/g, ' ');
  for (const text of [
    'Buy one.',
    'JudgedMatch',
    'as asked',
    'https://s.test/buy',
    'I click.',
    '+1.0 s',
    '1 min 05 s',
  ]) {
    expect(page).toContain(text);
  }
  expect(page).toContain(`src="/file/${PATH}/data/screenshots/11000.png"`);
  expect(page).toMatch(/<video[^>]*data-end="11000"/);
});

it.each(Object.entries(VERDICT_FILES))(
  'shows the verdict of rubric %s, in the list and on the page',
  async (rubric, file) => {
    const root = await aBundle();
    await rm(join(root, PATH, 'judge.json'));
    await writeFiles(root, { [`${PATH}/${file}`]: { match: true, reason: 'reason of it', judge_model: 'j' } });
    const view = await readRunView(root, PATH);
    if (view === null) throw new Error('no view');
    const page = renderRun(view);
    for (const text of [`<th>${rubric}</th>`, 'reason of it', 'JudgedMatch']) expect(page).toContain(text);
    const index = renderIndex('d', await findRuns(root), { outcome: '', harness: '' });
    const heads = index.match(/<th>(Strict|Lenient|Answer|Agentic)<\/th>/g);
    expect(heads).toEqual([`<th>${rubric}</th>`]);
  },
);

it('filters the index', async () => {
  const root = await aBundle();
  const found = await findRuns(root);
  const index = (outcome: string, harness: string): string => renderIndex('d', found, { outcome, harness });
  expect(index('Passed', 'h')).toContain(`href="/run/${PATH}"`);
  expect(index('Failed', '')).not.toContain('/run/');
  expect(index('', 'other')).not.toContain('/run/');
});

it('marks an attempt that does not count', async () => {
  const root = await aBundle();
  await writeFiles(root, { [PATH.replace(/a1$/, 'a2/attempt-meta.json')]: { model: 'm', harness: 'h' } });
  const found = await findRuns(root);
  expect(found.runs.map((run) => run.counts)).toEqual([true, false]);
  const index = renderIndex('d', found, { outcome: '', harness: '' });
  expect(index).toContain('not counted');
  expect(index).toContain('1 run, 1 intercepted, 1 passed');
});

it('has a script that parses', () => {
  expect(() => new Script(PAGE_SCRIPT)).not.toThrow();
});
