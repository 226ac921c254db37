import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseIdSelection } from '../benchmark/task/id-selection.ts';
import { batchSpec } from './batch.ts';
import { BATCH_PLURAL, RUN_PLURAL } from './group.ts';
import type { StructuralSchema } from './lower.ts';
import { batchManifest, fullBatch } from './samples.fixture.ts';

/**
 * Every string of a spec ends somewhere that takes less than any text: an object's name, a label, a variable, a host, a
 * key. What passes the schema and fails there costs attempts, so each string says what it may be.
 */
const specOf = (plural: string): StructuralSchema => {
  const crd: { spec: { versions: [{ schema: { openAPIV3Schema: { properties: { spec: StructuralSchema } } } }] } } =
    parse(readFileSync(join(import.meta.dirname, 'generated', `${plural}.yaml`), 'utf8'));
  return crd.spec.versions[0].schema.openAPIV3Schema.properties.spec;
};

interface Leaf {
  readonly path: string;
  readonly schema: StructuralSchema;
}

const strings = (schema: StructuralSchema, path = 'spec'): Leaf[] => [
  ...(schema.type === 'string' ? [{ path, schema }] : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) => strings(child, `${path}.${name}`)),
  ...(schema.items ? strings(schema.items, `${path}[]`) : []),
  ...(schema.additionalProperties ? strings(schema.additionalProperties, `${path}.*`) : []),
];

/** Annotations take any text. */
const ANY_TEXT = ['spec.podTemplate.metadata.annotations.*'];

const all = [BATCH_PLURAL, RUN_PLURAL].flatMap((plural) => strings(specOf(plural)));

it('every string of both kinds has a maximum length and a pattern', () => {
  const loose = all.filter(({ schema }) => schema.enum === undefined && schema['pattern'] === undefined);
  expect([...new Set(loose.map(({ path }) => path))]).toEqual(ANY_TEXT);
  const long = all.filter(({ schema }) => schema.enum === undefined && schema['maxLength'] === undefined);
  expect(long.map(({ path }) => path)).toEqual([]);
});

const patterns = [...new Set(all.map(({ schema }) => schema['pattern']).filter((one) => typeof one === 'string'))];

it('no string accepts NUL or, except for the value of a variable, control characters and line breaks', () => {
  for (const { path, schema } of all) {
    if (typeof schema['pattern'] !== 'string') continue;
    const takes = new RegExp(schema['pattern'], 'u');
    for (const bad of path.endsWith('env[].value') ? ['\0', 'a\0'] : ['\0', 'a\0', 'a\n', '\na', 'a\u001b', 'a\u0085'])
      expect([path, bad, takes.test(bad)]).toEqual([path, bad, false]);
  }
});

const hasGo = ((): boolean => {
  try {
    execFileSync('go', ['version']);
    return true;
  } catch {
    return false;
  }
})();

const ajv = new Ajv({ strict: false, allErrors: true, formats: { int64: true, 'date-time': true } });
const isSpec = ajv.compile(specOf(BATCH_PLURAL));

/** The full sample with one string replaced. */
function changed(path: string, value: string): ReturnType<typeof fullBatch> {
  const spec: unknown = structuredClone(fullBatch());
  const parts = path.split('.');
  const last = parts.pop() ?? '';
  let at = spec as Record<string, never>;
  for (const part of parts) at = at[part] ?? {};
  at[last] = value as never;
  return spec as ReturnType<typeof fullBatch>;
}

describe.each<[string, string[], string[]]>([
  ['suite.configMapRef.name', ['a', 'a.b-c', 'v1.0'], ['A', 'a..b', 'a.-b', 'a_b', '-a', 'a-', 'a/b']],
  ['models.secretRef.key', ['models.yaml', '.m', 'a..b'], ['.', '..', '..m', 'a/b', '']],
  ['models.names.0', ['z-ai/glm-4.5-air:free', '*', 'ü'], ['', 'a\u0007', 'a\n']],
  ['suite.name', ['v1 lite', 'x'], ['a\tb', '\u007f']],
  ['suite.select.ids', ['', '*', '1065b', '1-50, 86,1065B', '369 ,*', '1 - 5', '1,,2,'], ['a', '1-x', '1-2-3', '1;2']],
  [
    'network.map.0.address',
    ['site.bench.svc:443', 'https://10.0.0.1:8443', 'http://a_b:1', '[fd00::1]:65535'],
    ['site', 'site:0', 'site:65536', 'site:99999', 'site:http', 'ftp://a:1', 'a:1/x', 'u@a:1', '[x]:1', ':80', 'a b:1'],
  ],
  [
    'network.map.0.host',
    ['shop.example.com', 'localhost', '[fd00::1]'],
    ['shop.example.com:80', 'http://a', 'a/b', '*'],
  ],
  ['network.allow.0', ['site:80', '[::1]:1'], ['site', 'https://site:80', '10.0.0.0/8']],
  [
    'harnesses.0.image',
    ['replay', 'registry.example:5000/a/b_c:v1.2', `r/a@sha256:${'0'.repeat(64)}`],
    [' replay', 'Replay', 'a b', 'a:b:c', 'https://a/b', 'a//b', 'a@sha256:1'],
  ],
  ['harnesses.0.env.0.value', ['', 'two\nlines', 'ü\u001b'], ['a\0b']],
  ['harnesses.0.env.0.name', ['A_1'], ['1A', 'A-B', 'A B']],
  [
    'artifacts.s3.endpoint',
    ['http://s3.bench.svc:9000', 'https://s3.example/'],
    ['http://user:pass@s3:1', 'http://', 'http://a:99999', 'http://a/b'],
  ],
  ['artifacts.s3.prefix', ['', 'a/b', 'ü b'], ['/a', 'a\\b', 'a\n']],
  ['artifacts.s3.region', ['us-east-1', 'garage'], ['', 'a b', 'a/b']],
  ['podTemplate.metadata.labels.team', ['', 'eval', 'a_b.c-d'], ['-a', 'a b', 'a/b', 'ü']],
  ['queueName', ['', 'evaluations', 'a.b'], ['A', `${'a'.repeat(64)}`]],
  ['browser.timezone', ['UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'], ['../x', 'a b']],
  ['browser.locale', ['de', 'de-DE', 'zh-Hant-TW'], ['de_DE', 'de-', '-']],
])('%s', (path, good, bad) => {
  it.each(good)('accepts %j', (value) => {
    expect(isSpec(changed(path, value)), JSON.stringify(isSpec.errors)).toBe(true);
    expect(batchSpec.safeParse(changed(path, value)).error).toBeUndefined();
  });
  it.each(bad)('refuses %j', (value) => {
    expect(isSpec(changed(path, value))).toBe(false);
    expect(batchSpec.safeParse(changed(path, value)).success).toBe(false);
  });
});

it('what the schema accepts, its reader accepts', () => {
  for (const text of ['', '*', '1065b', '1-50, 86,1065B', '1,,2,']) expect(() => parseIdSelection(text)).not.toThrow();
});

it.runIf(hasGo)(
  'every pattern means the same to the API server, which is written in Go',
  () => {
    expect(isSpec(batchManifest(fullBatch()).spec)).toBe(true);
    const texts = ['', 'a', 'a\n', 'a\0', '..', 'a..b', '1065b', 'site:80', 'ü', 'https://a:1', '[::1]:1', 'a b', '*'];
    const program = `package main
import ("encoding/json";"os";"regexp")
func main() {
  var in struct { Patterns, Texts []string }
  json.NewDecoder(os.Stdin).Decode(&in)
  out := [][]bool{}
  for _, p := range in.Patterns {
    r := regexp.MustCompile(p)
    row := []bool{}
    for _, t := range in.Texts { row = append(row, r.MatchString(t)) }
    out = append(out, row)
  }
  json.NewEncoder(os.Stdout).Encode(out)
}`;
    const answer = goRun(program, JSON.stringify({ Patterns: patterns, Texts: texts }));
    const ours = patterns.map((pattern) => texts.map((text) => new RegExp(pattern, 'u').test(text)));
    expect(JSON.parse(answer)).toEqual(ours);
  },
  60_000,
);

function goRun(program: string, input: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'patterns-'));
  try {
    writeFileSync(join(folder, 'main.go'), program);
    return execFileSync('go', ['run', 'main.go'], { cwd: folder, input, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
