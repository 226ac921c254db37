import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CliFailure } from './failure.ts';
import { loadKubeConfig } from './kube-config.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'kube-config-'));
  vi.stubEnv('HOME', home);
  vi.stubEnv('KUBECONFIG', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function failureOf(context?: string): CliFailure {
  try {
    loadKubeConfig(context);
  } catch (error) {
    expect(error).toBeInstanceOf(CliFailure);
    return error as CliFailure;
  }
  throw new Error('nothing was thrown');
}

it('reports a missing kubeconfig instead of calling a local port', () => {
  expect(failureOf()).toMatchObject({ exitCode: 3, message: expect.stringMatching(/^no kubeconfig found: /) });
});

it('reports a KUBECONFIG file that does not exist', () => {
  vi.stubEnv('KUBECONFIG', join(home, 'missing'));
  expect(failureOf()).toMatchObject({ exitCode: 2, message: expect.stringMatching(/cannot be read: .*missing/) });
});

it('uses an existing context and refuses others', () => {
  const cluster = { name: 'c', cluster: { server: 'http://localhost:8080' } };
  const contexts = ['one', 'two'].map((name) => ({ name, context: { cluster: 'c', user: 'u' } }));
  const file = { clusters: [cluster], contexts, users: [{ name: 'u', user: {} }], 'current-context': 'one' };
  writeFileSync(join(home, 'config'), JSON.stringify(file));
  vi.stubEnv('KUBECONFIG', join(home, 'config'));
  expect([loadKubeConfig().getCurrentContext(), loadKubeConfig('two').getCurrentContext()]).toEqual(['one', 'two']);
  expect(failureOf('three').message).toBe('context "three" does not exist in the kubeconfig');
});
