import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import {
  chatAnswer,
  openEndpoint,
  type ScriptedAnswer,
  type ScriptedEndpoint,
  type EndpointCall,
} from '../../judging/call/endpoint.fixture.ts';
import { CliFailure } from '../failure.ts';
import { createProgram } from '../program.ts';
import { addModelsCommands } from './command.ts';

const file = join(mkdtempSync(join(tmpdir(), 'models-check-')), 'models.yaml');
let endpoint: ScriptedEndpoint | undefined;
afterEach(async () => {
  await endpoint?.close();
  process.exitCode = 0;
  vi.restoreAllMocks();
});

interface Outcome {
  readonly code: number;
  readonly text: string;
  readonly seen: readonly EndpointCall[];
}

/** `BASE` in the file is the endpoint's address. */
async function check(
  content: string,
  answer: (seen: EndpointCall) => ScriptedAnswer,
  ...args: string[]
): Promise<Outcome> {
  endpoint = await openEndpoint(answer);
  writeFileSync(file, content.replaceAll('BASE', endpoint.base));
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const program = createProgram().configureOutput({ writeErr: () => undefined });
  addModelsCommands(program);
  try {
    await program.parseAsync(['models', 'check', file, ...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CliFailure) return { code: error.exitCode, text: error.message, seen: endpoint.seen };
    throw error;
  }
  return { code: Number(process.exitCode ?? 0), text: lines.join('\n'), seen: endpoint.seen };
}

const KEYS = 'planted-key-1, planted-key-2, planted-key-3';
const THREE = `m: {base_url: "BASE", api_type: openai-completions, api_keys: [${KEYS}]}\n`;

it('tries each key once and identifies keys only by their position', async () => {
  const answer = ({ headers }: EndpointCall): ScriptedAnswer =>
    headers.authorization === 'Bearer planted-key-2' ? { status: 401 } : chatAnswer('OK');
  const { code, text, seen } = await check(THREE, answer, '-o', 'json');
  expect(code).toBe(1);
  expect(seen).toHaveLength(3);
  expect(JSON.parse(text)).toMatchObject([
    { model: 'm', key: '1/3', state: 'ok', says: '' },
    { model: 'm', key: '2/3', state: 'problem', says: expect.stringContaining('HTTP 401') as string },
    { model: 'm', key: '3/3', state: 'ok' },
  ]);
  expect(text).not.toContain('planted');
});

it('exits with 0 if every call succeeds', async () => {
  expect((await check(THREE, () => chatAnswer('OK'))).code).toBe(0);
});

it('distinguishes an outage from a refusal, and fails for both', async () => {
  const { code, text } = await check(THREE, () => ({ status: 503 }));
  expect(code).toBe(1);
  expect(text.match(/away/g)).toHaveLength(3);
});

it('makes no calls with --no-call', async () => {
  const { code, text, seen } = await check(THREE, () => ({ status: 401 }), '--no-call');
  expect(code).toBe(0);
  expect(text).toContain('not called');
  expect(seen).toHaveLength(0);
});

it('checks only matching models, and reports if none matches', async () => {
  const two = THREE + THREE.replace('m:', 'other:');
  expect((await check(two, () => chatAnswer('OK'), '--model', 'oth*')).seen).toHaveLength(3);
  const { code, text } = await check(two, () => chatAnswer('OK'), '--model', 'nobody');
  expect(code).toBe(2);
  expect(text).toContain('matches nobody');
});

it.each([
  ['no YAML', 'm: {', /not valid YAML/],
  ['no key', 'm: {base_url: "http://h", api_type: openai-completions}', /"m" has neither api_key nor api_keys/],
  ['an unknown API', 'm: {base_url: "http://h", api_type: telnet, api_key: k}', /api_type/],
])('%s is one sentence and exit code 2, without a call', async (_name, content, sentence) => {
  const { code, text, seen } = await check(content, () => chatAnswer('OK'));
  expect(code).toBe(2);
  expect(text).toMatch(sentence);
  expect(seen).toHaveLength(0);
});
