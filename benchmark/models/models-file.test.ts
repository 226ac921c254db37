import { expect, it } from 'vitest';
import { ModelsFileError, parseModels } from './models-file.ts';

const file = (entry: string): string => `m/one:\n${entry.replace(/^/gm, '  ')}`;

it('reads an entry; its list of keys takes precedence over the single key', () => {
  const models = parseModels(
    file('base_url: http://h/v1/\napi_type: openai-completions\napi_key: a\napi_keys: [b, c]'),
  );
  expect(models.get('m/one')).toMatchObject({
    baseUrl: 'http://h/v1',
    apiType: 'openai-completions',
    keys: ['b', 'c'],
  });
});

it.each([
  ['no key', file('base_url: http://h\napi_type: openai-completions'), /neither api_key nor api_keys/],
  [
    'wrong type',
    file('base_url: http://h\napi_type: smtp\napi_key: SECRETKEY'),
    /api_type must be one of openai-completions/,
  ],
  ['no URL', file('base_url: h\napi_type: openai-completions\napi_key: SECRETKEY'), /base_url/],
  ['a list', '- a', /must be a map/],
  ['broken YAML', 'm: {api_key: SECRETKEY', /not valid YAML at line 1/],
  ['a control character in the name', '"m\\x07": {}', /model name "m\\u0007" .*control/],
  ['a name that no run can carry', `${'m'.repeat(254)}: {}`, /has 254 characters; the limit is 253/],
  ['no name', '"": {}', /empty name/],
  [
    'a line break in the key',
    file('base_url: http://h\napi_type: openai-completions\napi_key: "SECRETKEY\\n"'),
    /api_key contains a space, a line break or another character that an HTTP header cannot hold/,
  ],
  [
    'a space in one of the keys',
    file('base_url: http://h\napi_type: openai-completions\napi_keys: [a, "SECRETKEY x"]'),
    /api_keys\.1 contains a space/,
  ],
  [
    'a line break in a header',
    file('base_url: http://h\napi_type: anthropic-messages\napi_key: a\nanthropic_version: "1\\n2"'),
    /anthropic_version/,
  ],
  ['name with a star', '"m*": {}', /contains a space or one of/],
])('%s is one sentence without a secret', (_, text, message) => {
  let thrown: unknown;
  try {
    parseModels(text);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ModelsFileError);
  expect((thrown as Error).message).toMatch(message);
  expect((thrown as Error).message).not.toContain('SECRETKEY');
});
