import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startLocal } from './command.ts';

it('the README’s example: one command, its own site, the recorded reference, and no request arrives', async () => {
  const out = mkdtempSync(join(tmpdir(), 'local-demo-'));
  try {
    const command = startLocal(['--demo', '--replay', '--headless', '--out', out]);
    expect(await command.next('intercepted')).toMatchObject({
      method: 'POST',
      url: expect.stringMatching(/papermill/),
    });
    expect(await command.exited).toBe(0);
    for (const part of ['order exactly two', 'Time limit: 5 minutes', 'that reached the site: 0'])
      expect(command.log()).toContain(part);
    const meta = JSON.parse(readFileSync(join(out, 'run-meta.json'), 'utf8')) as { intercepted: boolean };
    expect(meta.intercepted).toBe(true);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});

it.each([
  [[], /no task given; use --task FOLDER, or --demo/],
  [['--demo', '--task', '/tmp'], /--task and --demo cannot be used together/],
  [['--task', '/tmp', '--replay'], /--replay can only be used with --demo/],
  [['--demo', 'nothing'], /matches no task; use a number/],
] as const)('%j is refused in one sentence', async (args, sentence) => {
  const command = startLocal(args);
  expect(await command.exited).toBe(2);
  expect(command.log()).toMatch(sentence);
  expect(command.log()).not.toMatch(/^\s+at /m);
});
