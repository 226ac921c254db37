import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lintText } from './lint-text.ts';
import { lintPaths } from './lint.ts';

const TASK = { instruction: 'do', eval_schema: { url_pattern: '^https://a\\.test', method: 'POST' }, time_limit: 30 };

function tree(files: Record<string, string | Uint8Array>): string {
  const root = mkdtempSync(join(tmpdir(), 'lint-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}
const task = (more: object = {}): string => JSON.stringify({ ...TASK, ...more });

it('lints a folder of suites, a case folder and a flat file', async () => {
  const root = tree({
    'v1/001-a/task.json': task(),
    'v1-lite/001-a/task.json': task(),
    'flat/ce-1.json': task(),
    'flat/eligibility-report.json': '{}',
    'task.schema.json': '{}',
  });
  expect(await lintPaths([root])).toEqual({ tasks: 3, errors: [], warnings: [] });
  const parts = await lintPaths([join(root, 'v1/001-a'), join(root, 'flat/ce-1.json')]);
  expect(parts).toEqual({ tasks: 2, errors: [], warnings: [] });
});

it('follows the links of one case of a suite made of links', async () => {
  const root = tree({ 'v1/001-a/task.json': task() });
  mkdirSync(join(root, 'lite/001-a'), { recursive: true });
  symlinkSync('../../v1/001-a/task.json', join(root, 'lite/001-a/task.json'));
  expect(await lintPaths([join(root, 'lite'), join(root, 'lite/001-a')])).toMatchObject({ tasks: 2, errors: [] });
});

it('reports each bad file in one message and continues with the others', async () => {
  const root = tree({
    '1/task.json': '{"instruction": "do"',
    '2/task.json': Uint8Array.of(0x7b, 0xff),
    '3/task.json': task({ eval_schema: { url_pattern: '((a{1000}){1000}){1000}', method: 'POST' } }),
    '4/task.json': task({ extra_info: [{ path: 'x/gone.json', description: 'd' }] }),
    '5/task.json': task(),
    '6/task.json': task(),
    '7/task.json': '',
  });
  symlinkSync('/etc/hostname', join(root, '5/notes.txt'));
  symlinkSync('..', join(root, '6/again'));
  symlinkSync('self', join(root, '6/self'));
  truncateSync(join(root, '7/task.json'), 100 * 1024 * 1024);
  const { tasks, errors, warnings } = await lintPaths([root, join(root, 'nowhere')]);
  const facts = errors.map(({ path, pointer, code, message }) => [
    path.slice(root.length + 1) + pointer,
    code,
    message.split(/[;:(]/)[0],
  ]);
  expect(facts).toEqual([
    ['5/notes.txt', 'read', `is a symbolic link to a target outside ${root}`],
    ['6/again', 'read', 'is a symbolic link to itself or to one of its parent folders'],
    ['6/self', 'read', 'is a symbolic link to itself or to one of its parent folders'],
    ['7/task.json', 'read', 'is larger than 8 MiB'],
    ['1/task.json', 'json', 'the task file is not valid JSON'],
    ['2/task.json', 'encoding', 'the task file is not UTF-8'],
    ['3/task.json/eval_schema/url_pattern', 'pattern', expect.stringContaining('url_pattern "')],
    ['4/task.json/extra_info/0/path', 'extra-info', expect.stringContaining('x/gone.json')],
    ['nowhere', 'read', 'does not exist'],
  ]);
  expect(tasks).toBe(6);
  expect(warnings.map(({ code }) => code)).toEqual(['duplicate']);
});

it('reports a folder without tasks', async () => {
  const root = tree({ 'a.txt': 'x' });
  expect((await lintPaths([root])).errors.map(({ message }) => message)).toEqual(['contains no tasks']);
});

it('names the field once, and reports missing fields, wrong types and unknown values', async () => {
  const root = tree({
    '1/task.json': task({ time_limit: undefined, instruction: 5, zzz: 1 }),
    '2/task.json': task({ eval_schema: { url_pattern: '(?=x)', method: 'FETCH' } }),
    '3/task.json': task({ extra_info: [{ path: 'gone.json', description: 'd' }] }),
    '4/task.json': task({ instruction: ' ' }),
  });
  const lines = lintText(await lintPaths([root]), true)
    .replaceAll(`${root}/`, '')
    .split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'error schema: 1/task.json: time_limit is missing',
      'error schema: 1/task.json: instruction must be text, not a number',
      'error schema: 1/task.json: zzz is not a known field',
      'error schema: 2/task.json: eval_schema.method must be one of GET, POST, PUT, PATCH, DELETE',
      expect.stringMatching(/^error pattern: 2\/task\.json: url_pattern "/),
      expect.stringMatching(/^error extra-info: 3\/task\.json#\/extra_info\/0\/path: .*gone\.json/),
      'error task: 4/task.json: instruction must not be blank',
    ]),
  );
  expect(lines.join('\n')).not.toMatch(/Invalid|undefined/);
});

it('prints a few warnings of each kind, and all with --all', async () => {
  const open = task({ eval_schema: { url_pattern: 'a', method: 'POST' } });
  const root = tree(Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`${String(n)}/task.json`, open])));
  const report = await lintPaths([root]);
  const short = lintText(report, false).split('\n');
  expect(short).toHaveLength(6);
  expect(short[3]).toContain('unanchored: 3 more');
  expect(short.at(-1)).toBe('6 tasks, 0 errors, 7 warnings');
  expect(lintText(report, true).split('\n')).toHaveLength(8);
});
