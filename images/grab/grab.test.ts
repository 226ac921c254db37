import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('converts, merges and paces as its own tests say', () => {
  const env = { ...process.env, CGO_ENABLED: '0' };
  const said = execFileSync('go', ['test', '-v', './...'], { cwd: import.meta.dirname, env, encoding: 'utf8' });
  expect(said.match(/^--- PASS/gm)).toHaveLength(5);
}, 120_000);
