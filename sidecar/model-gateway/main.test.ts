import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { MODEL_CALLS_FILES } from '../../benchmark/protocol/model-gateway.ts';

/** The program as a container starts it: what it leaves for the recorder, and that no key is in it. */

const KEYS = ['sk-first-of-two', 'sk-second-of-two'];
const MODELS = `
'z-ai/glm':
  base_url: https://user:sk-in-the-url@provider.test:8443/api/v1/?key=sk-in-the-query
  api_type: anthropic-messages
  api_keys: [${KEYS.join(', ')}]
  thinking_level: high
  max_tokens: 4096
`;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Started {
  readonly directory: string;
  readonly child: ChildProcess;
}

function start(
  model: string,
  files: Record<string, string>,
  directory = mkdtempSync(join(tmpdir(), 'calls-')),
): Started {
  const secret = mkdtempSync(join(tmpdir(), 'models-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(secret, name), text);
  const env = {
    PATH: process.env['PATH'],
    CLAWBENCH_MODELS: JSON.stringify({ harness: 'h', model }),
    CLAWBENCH_MODELS_SECRET_DIR: secret,
    CLAWBENCH_MODEL_CALLS_DIR: directory,
    CLAWBENCH_MODELS_PORT: '0',
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env, stdio: 'ignore' });
  children.push(child);
  return { directory, child };
}

async function read(directory: string, name: 'agent' | 'error'): Promise<Record<string, unknown>> {
  const path = join(directory, MODEL_CALLS_FILES[name]);
  await expect.poll(() => existsSync(path), { timeout: 10_000 }).toBe(true);
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
}

describe('the program of the sidecar', () => {
  it('reports what a harness may know once it listens, and no key', async () => {
    const { directory } = start('z-ai/glm', { 'models.yaml': MODELS });
    const said = await read(directory, 'agent');
    expect(said).toMatchObject({
      apiType: 'anthropic-messages',
      thinkingLevel: 'high',
      temperature: null,
      maxTokens: 4096,
      config: { model: 'z-ai/glm', base_url: 'https://provider.test:8443/api/v1', api_key_count: 2 },
    });
    expect(said['baseUrl']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
    expect((await fetch(`${String(said['baseUrl'])}/files`)).status).toBe(403);
    const left = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
    expect(left.join('\n')).not.toMatch(/sk-/);
  });

  it.each([
    ['no Secret', {}, /has no key models\.yaml/],
    ['a file that is not YAML', { 'models.yaml': 'sk-a: [sk-b' }, /not valid YAML/],
  ])('reports why it cannot work and keeps running: %s', async (_what, files, sentence) => {
    const { directory, child } = start('z-ai/glm', files);
    const { message } = await read(directory, 'error');
    expect(message).toMatch(sentence);
    expect(message).not.toMatch(/sk-/);
    expect(child.exitCode).toBeNull();
    child.kill('SIGTERM');
    await expect.poll(() => child.exitCode, { timeout: 5000 }).toBe(0);
  });

  it('carries no call after a restart: its totals are lost', async () => {
    const first = start('z-ai/glm', { 'models.yaml': MODELS });
    await read(first.directory, 'agent');
    first.child.kill('SIGKILL');
    start('z-ai/glm', { 'models.yaml': MODELS }, first.directory);
    expect(await read(first.directory, 'error')).toEqual({ message: 'it died and was restarted by kubelet' });
  });
});
