import { expect, it } from 'vitest';
import { parseModels } from '../../benchmark/models/models-file.ts';
import { agentFacts } from './agent-facts.ts';

const facts = (more: string): ReturnType<typeof agentFacts> => {
  const text = `m:\n  base_url: https://provider.test/v1\n  api_type: openai-completions\n${more}`;
  const model = parseModels(text).get('m');
  if (model === undefined) throw new Error('no model');
  return agentFacts(text, model, 'http://127.0.0.1:9/v1');
};

it('unknown fields are passed on nowhere, but change the configuration hash', () => {
  const plain = facts('  api_key: sk-real-one\n');
  const more = facts(
    '  api_key: sk-real-one\n  authorization: Bearer other-1\n  headers: {Authorization: Bearer other-2}\n  x: {sk-real-one: 1}\n',
  );
  expect(JSON.stringify(more)).not.toMatch(/other-|sk-real|uthorization/);
  const { sanitized_config_sha256: hash, ...config } = more.config;
  const { sanitized_config_sha256: plainHash, ...plainConfig } = plain.config;
  expect(config).toEqual(plainConfig);
  expect(hash).not.toBe(plainHash);
});

it('a key in the address is removed from what is stored, and kept where the harness needs it', () => {
  const text =
    'm:\n  base_url: https://provider.test/sk-real-one/v1\n  api_type: openai-completions\n  api_key: sk-real-one\n';
  const model = parseModels(text).get('m');
  if (model === undefined) throw new Error('no model');
  const said = agentFacts(text, model, 'http://127.0.0.1:9/sk-real-one/v1');
  expect(said.baseUrl).toBe('http://127.0.0.1:9/sk-real-one/v1');
  expect(said.config['base_url']).toBe('https://provider.test/[REDACTED]/v1');
});
