import { expect, it } from 'vitest';
import { run } from './run-command.ts';

it('gives standard error line by line, however it comes, and leaves progress out of an error', async () => {
  const lines: string[] = [];
  const script = 'printf "a/b\\nc/" >&2; sleep 0.1; printf "d\\nreal trouble\\ne/f\\n" >&2; exit 3';
  const onLine = (line: string): boolean => {
    lines.push(line);
    return line.includes('/');
  };
  const failure = await run('sh', ['-c', script], { onLine }).catch((error: unknown) => error as Error);
  expect(lines).toEqual(['a/b', 'c/d', 'real trouble', 'e/f']);
  expect(String(failure)).toMatch(/exited with 3:\nreal trouble$/);
});
