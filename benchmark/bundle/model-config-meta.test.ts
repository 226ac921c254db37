import { expect, it } from 'vitest';
import { modelConfigMeta } from './model-config-meta.ts';
import { sha256Hex } from '../text/sha256.ts';

it('keeps non-secret fields, counts keys, and hashes the masked configuration as upstream does', () => {
  const config = {
    model: 'm',
    base_url: 'u',
    api_type: 't',
    api_keys: ['k1', 'k2'],
    max_tokens: 5,
    my_token: 'zzz',
    note: { ü: 1, a: [{ z: 1, b: 2 }] },
  };
  const meta = modelConfigMeta(config);
  expect(meta).toEqual({
    model: 'm',
    api_type: 't',
    base_url: 'u',
    thinking_level: null,
    temperature: null,
    max_tokens: 5,
    api_key_count: 2,
    sanitized_config_sha256: sha256Hex(
      '{"api_keys":"[REDACTED:2]","api_type":"t","base_url":"u","max_tokens":"[REDACTED]","model":"m","my_token":"[REDACTED]","note":{"a":[{"b":2,"z":1}],"\\u00fc":1}}',
    ),
    extra: { note: config.note },
  });
  expect(JSON.stringify(meta)).not.toMatch(/k1|zzz/);
});

it.each([
  [{}, 0],
  [{ api_key: '' }, 0],
  [{ api_key: 'k' }, 1],
  [{ api_key: 'k', api_keys: [] }, 0],
])('keys of %j: %i', (config, count) => {
  const meta = modelConfigMeta(config);
  expect(meta.api_key_count).toBe(count);
  expect(meta).not.toHaveProperty('extra');
});

it('an empty secret is not masked', () => {
  expect(modelConfigMeta({ api_key: '' }).sanitized_config_sha256).toBe(sha256Hex('{"api_key":""}'));
});
