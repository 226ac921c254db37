import { mkdtempSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prepareBundleFolder } from './bundle-folder.ts';
import { pickTask, startDemo } from './demo.ts';
import { guidance } from './guidance.ts';
import { BadInput } from './options.ts';

const NAMES = ['demo-001-order-papermill', 'demo-005-ferry-almanac', 'demo-006-bridges-almanac', 'demo-010-x'];

it.each([
  ['1', NAMES[0]],
  ['005', NAMES[1]],
  ['10', NAMES[3]],
  ['papermill', NAMES[0]],
  [NAMES[2] ?? '', NAMES[2]],
])('--demo %s is one task', (wanted, name) => {
  expect(pickTask(wanted, NAMES)).toBe(name);
});

function refusal(wanted: string): Error {
  try {
    pickTask(wanted, NAMES);
  } catch (error) {
    return error as Error;
  }
  throw new Error('was not refused');
}

it('refuses a name that matches several tasks, and lists them', () => {
  expect(refusal('almanac')).toBeInstanceOf(BadInput);
  expect(refusal('almanac').message).toBe(
    '--demo almanac matches several tasks: demo-005-ferry-almanac, demo-006-bridges-almanac',
  );
});

it.each(['2', 'nothing', '0', '99'])(
  '--demo %s matches no task: the message lists the numbers, not the names',
  (wanted) => {
    expect(refusal(wanted)).toBeInstanceOf(BadInput);
    expect(refusal(wanted).message).toMatch(/ matches no task; use a number \(1, 5, 6, 10\) or a part of a name/);
    expect(refusal(wanted).message).not.toContain('almanac');
  },
);

it('each example of the documentation matches one task', () => {
  const root = join(import.meta.dirname, '..', '..');
  const names = readdirSync(join(root, 'test-cases', 'demo', 'tasks'));
  const examples = [...readFileSync(join(root, 'docs', 'local.md'), 'utf8').matchAll(/`--demo (\w+)`/g)];
  expect(examples.length).toBeGreaterThan(1);
  for (const [, wanted = ''] of examples) expect(names).toContain(pickTask(wanted, names));
});

it('serves every host of the demo on loopback and counts what arrives', async () => {
  const demo = await startDemo('1');
  try {
    expect(demo.task).toMatch(/demo-001-[^/]*$/);
    expect(demo.map).toContainEqual(expect.stringMatching(/^almanac\.demo\.test=127\.0\.0\.1:\d+$/));
    const address = demo.map[0]?.split('=')[1] ?? '';
    expect(await demo.arrivals()).toBe(0);
    await fetch(`http://${address}/api/orders`, { method: 'POST', body: '{}' });
    expect(await demo.arrivals()).toBe(1);
  } finally {
    await demo.end();
  }
  await expect(demo.arrivals()).rejects.toThrow();
});

it('explains the task, the time limit, how to drive and how the session ends; a harness needs no explanation', () => {
  const facts = {
    instruction: 'Order one.',
    limitSeconds: 300,
    cdp: 'http://127.0.0.1:9',
    control: 'http://127.0.0.1:5',
    headless: false,
  };
  const person = guidance({ ...facts, hasHarness: false });
  for (const part of ['Order one.', '5 minutes', "connectOverCDP('http://127.0.0.1:9')", 'Ctrl-C', 'virtual'])
    expect(person).toContain(part);
  expect(guidance({ ...facts, hasHarness: true })).not.toContain('connectOverCDP');
  expect(guidance({ ...facts, limitSeconds: 90, hasHarness: true })).toContain('90 seconds');
  expect(guidance({ ...facts, limitSeconds: 60, hasHarness: true })).toContain('1 minute from now');
  const research = { ...facts, instruction: 'Answer at http://127.0.0.1:7878/submit.', hasHarness: true };
  expect(guidance(research)).toContain('answer page is at http://127.0.0.1:5/submit');
  expect(guidance({ ...research, control: 'http://127.0.0.1:7878' })).not.toContain('in use');
});

it('an empty --out becomes the bundle; one with files, or none, gets a subfolder', async () => {
  const root = mkdtempSync(join(tmpdir(), 'place-'));
  const now = new Date('2026-01-02T03:04:05Z');
  expect((await prepareBundleFolder(join(root, 'new'), now)).bundle).toBe(join(root, 'new'));
  mkdirSync(join(root, 'used'));
  writeFileSync(join(root, 'used', 'x'), '');
  expect((await prepareBundleFolder(join(root, 'used'), now)).bundle).toMatch(/\/used\/20260102T030405-\w+$/);
});
