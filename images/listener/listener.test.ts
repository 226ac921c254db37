import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('takes a listener and nothing else, and leaves no file open', () => {
  const said = execFileSync('go', ['test', './...'], { cwd: import.meta.dirname, encoding: 'utf8' });
  expect(said).toMatch(/^ok /m);
}, 120_000);
