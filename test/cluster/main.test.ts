import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shellQuoted } from './main.ts';

describe('a value for the shell', () => {
  it.each(['/plain/path', "it's", '$(touch /tmp/x) `x` "y"', 'a b'])('%s comes back as it was', (value) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellQuoted(value)}`], { encoding: 'utf8' })).toBe(value);
  });
});
