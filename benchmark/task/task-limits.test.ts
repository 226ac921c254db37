import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { buildAgentPrompt } from './agent-prompt.ts';
import { lintTask } from '../lint/task-lint.ts';
import { MAX_PROMPT_BYTES, taskLimitProblem } from './task-limits.ts';
import { parseTask } from './task.ts';

const file = (more: object = {}): string =>
  JSON.stringify({
    instruction: 'do',
    eval_schema: { url_pattern: '^https://a\\.test', method: 'POST' },
    time_limit: 30,
    ...more,
  });
const RULES = Buffer.byteLength(buildAgentPrompt(parseTask(file({ instruction: 'x' })))) - 1;
const none = new Map<string, Uint8Array>();

const problem = (more: object, files = none, name = '001-a'): { pointer: string; message: string } | null =>
  taskLimitProblem(name, parseTask(file(more)), files);

describe('the prompt is passed as one environment variable', () => {
  it('up to the kernel’s limit, and not a byte longer', () => {
    const longest = 'x'.repeat(MAX_PROMPT_BYTES - RULES);
    expect(problem({ instruction: longest })).toBeNull();
    expect(problem({ instruction: `${longest}x` })).toMatchObject({ pointer: '/instruction' });
    const start = (prompt: string): unknown => spawnSync('/bin/true', { env: { INSTRUCTION: prompt } }).error;
    expect(start('x'.repeat(MAX_PROMPT_BYTES))).toBeUndefined();
    expect(start('x'.repeat(MAX_PROMPT_BYTES + 1))).toMatchObject({ code: 'E2BIG' });
  });

  it('counts bytes, including the notes', () => {
    const half = 'ü'.repeat(MAX_PROMPT_BYTES / 2);
    expect(problem({ instruction: half })?.message).toMatch(
      /prompt is \d+ bytes longer than the 131059 bytes .*shorten instruction/,
    );
    expect(problem({ extra_info: [half] })?.pointer).toBe('/extra_info');
    expect(problem({ extra_info: [{ path: 'a.txt', description: half }] })?.pointer).toBe('/extra_info');
  });

  it.each([
    ['NUL in the instruction', { instruction: 'a\0b' }, '/instruction', /NUL/],
    ['NUL in a note', { extra_info: ['a\0b'] }, '/extra_info', /NUL/],
    ['half a character', { instruction: 'a\ud800b' }, '/instruction', /surrogate/],
  ])('refuses %s', (_, more, pointer, message) => {
    expect(problem(more)).toMatchObject({ pointer, message: expect.stringMatching(message) });
  });

  it('accepts every other control character, as upstream does', () => {
    expect(problem({ instruction: 'a\u0001\t\r\n\u001b[1m\u007f' })).toBeNull();
    expect(execFileSync('/usr/bin/env', { env: { INSTRUCTION: '\u0001\u001b' } }).toString()).toContain('\u0001\u001b');
  });
});

describe('other limits of a task: name, files and time', () => {
  const LONG = `x/${'n'.repeat(256)}`;
  const extra = (...paths: string[]): object => ({ extra_info: paths.map((path) => ({ path, description: 'd' })) });
  const held = new Map(['a', 'b', LONG].map((path) => [path, new Uint8Array(path === LONG ? 1 : 8_000_000)]));
  it.each([
    [{ name: 'a\nb' }, '', /case name .*control/],
    [{ name: 'x'.repeat(254) }, '', /case name .*253/],
    [{ more: { time_limit: 10_081 } }, '/time_limit', /10080/],
    [{ more: { time_limit: 1e308 } }, '/time_limit', /10080/],
    [{ more: extra('../x') }, '/extra_info', /outside the task/],
    [{ more: extra(LONG) }, '/extra_info', /255 bytes/],
    [{ more: extra('a', 'b') }, '/extra_info', /15 MiB/],
  ] as [{ name?: string; more?: object }, string, RegExp][])('refuses %j', ({ name, more }, pointer, message) => {
    expect(problem(more ?? {}, held, name)).toMatchObject({ pointer, message: expect.stringMatching(message) });
  });

  it('a missing file is a warning', () => {
    expect(problem({ extra_info: [{ path: 'gone', description: 'd' }] })).toBeNull();
  });
});

it('lint reports it as an error', () => {
  const findings = lintTask(file({ instruction: 'x'.repeat(200_000) }), none);
  expect(findings).toEqual([
    { severity: 'error', code: 'limit', pointer: '/instruction', message: expect.stringContaining('bytes longer') },
  ]);
  expect(lintTask(file({ time_limit: 1e9 })).map(({ code }) => code)).toEqual(['limit']);
});
