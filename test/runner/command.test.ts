import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { runCommand } from './command.ts';

const dir = mkdtempSync(join(tmpdir(), 'runner-'));
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true, force: true });
});

/** A shell with a child that ends only by a signal; both write their process ids. */
const TREE = ['sh', '-c', 'mkdir -p "$DIR"; sleep 60 & echo $! > "$DIR/child"; wait'];

const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');

it('gives the exit code, and 127 for a program that does not exist', async () => {
  expect(await runCommand(['sh', '-c', 'exit 3'], { limitSeconds: 5 })).toMatchObject({ exitCode: 3, timedOut: false });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(await runCommand(['/nonexistent/program'], { limitSeconds: 5 })).toMatchObject({ exitCode: 127 });
});

it('prints collected output once, when the command has ended', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await runCommand(['sh', '-c', 'echo one; echo two >&2'], { limitSeconds: 5, collected: true });
  expect(write.mock.calls.map(([chunk]) => chunk.toString()).join('')).toMatch(/^(one\ntwo|two\none)\n$/);
});

it.each(['at its limit', 'at an interrupt'])('ends the whole process group %s', async (when) => {
  const interrupt = new AbortController();
  const limitSeconds = when === 'at its limit' ? 0.5 : 30;
  const running = runCommand(TREE, { limitSeconds, signal: interrupt.signal, env: { DIR: dir } });
  await expect.poll(() => existsSync(join(dir, 'child')) && readFileSync(join(dir, 'child'), 'utf8')).toMatch(/\n/);
  const child = Number(readFileSync(join(dir, 'child'), 'utf8'));
  if (when === 'at an interrupt') interrupt.abort();
  expect((await running).timedOut).toBe(when === 'at its limit');
  await expect.poll(() => isAlive(child)).toBe(false);
});
