import { describe, expect, it } from 'vitest';
import { readSuite } from '../task/suite.ts';
import { lintSuite } from './suite-lint.ts';
import { lintTask } from './task-lint.ts';

const target = { url_pattern: '^https://shop\\.test/pay', method: 'POST' };
const good = { instruction: 'do', eval_schema: target, time_limit: 30 };
const metadata = {
  task_id: 1,
  metaclass: 'travel',
  class: 'c',
  description: 'd',
  sites_involved: ['shop.test'],
  platform: 'p',
  common_info: { email_credentials: 'e', user_info: 'u', user_resume: 'r' },
};
const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const found = (value: unknown, files?: ReadonlyMap<string, Uint8Array>): string[] =>
  lintTask(bytes(value), files).map((one) => `${one.severity}:${one.code}:${one.pointer}`);
const withTarget = (more: object): object => ({ ...good, eval_schema: { ...target, ...more } });

describe('lintTask', () => {
  it('has no findings for a valid task', () => {
    expect(found({ ...good, metadata }, new Map())).toEqual([]);
  });
  it.each([
    [{ ...good, zzz: 1 }, 'error:schema:'],
    [{ ...good, time_limit: 'x' }, 'error:schema:/time_limit'],
    [{ ...good, time_limit: 0.5 }, 'error:schema:/time_limit'],
    [{ ...good, instruction: ' ' }, 'error:task:/instruction'],
    [withTarget({ method: 'FETCH' }), 'error:schema:/eval_schema/method'],
    [withTarget({ url_pattern: '(?=x)' }), 'error:pattern:/eval_schema/url_pattern'],
    [withTarget({ url_pattern: '((a{1000}){1000}){9}' }), 'error:pattern:/eval_schema/url_pattern'],
    [withTarget({ url_pattern: '' }), 'warning:pattern:/eval_schema/url_pattern'],
    [withTarget({ url_pattern: '__PLACEHOLDER_WILL_NOT_MATCH__' }), 'warning:placeholder:/eval_schema/url_pattern'],
    [withTarget({ url_pattern: 'shop\\.test/pay' }), 'warning:unanchored:/eval_schema/url_pattern'],
    [withTarget({ body: 'a' }), 'error:schema:/eval_schema/body'],
    [withTarget({ params: { 'a/b~c': 5 } }), 'warning:filter:/eval_schema/params/a~1b~0c'],
    [withTarget({ method: 'GET' }), 'warning:navigation:/eval_schema/method'],
    [
      { ...good, metadata: { ...metadata, sites_involved: ['https://www.other.co.uk/x'] } },
      'warning:site:/eval_schema/url_pattern',
    ],
    [{ ...good, extra_info: [{ path: 'a.json', description: 'd' }] }, 'error:extra-info:/extra_info/0/path'],
    [{ ...good, extra_info: [{ path: '../a.json', description: 'd' }] }, 'error:extra-info:/extra_info/0/path'],
    [{ ...good, extra_info: ['note', null] }, 'warning:extra-info:/extra_info/1'],
  ])('%j gives %s', (value, finding) => {
    expect(found(value, new Map())).toContain(finding);
  });
  it('reports each problem once', () => {
    expect(found({ ...good, time_limit: 'x', eval_schema: 5 })).toEqual([
      'error:schema:/eval_schema',
      'error:schema:/time_limit',
    ]);
  });
  it('finds two extra files with the same name, and one named like a standard file', () => {
    const extra_info = ['x/a.json', 'y/a.json', 'alex_green_resume.pdf'].map((path) => ({ path, description: 'd' }));
    const files = new Map(extra_info.map(({ path }) => [path, bytes({})]));
    expect(found({ ...good, extra_info }, files)).toEqual([
      'error:extra-info:/extra_info/1/path',
      'error:extra-info:/extra_info/2/path',
    ]);
  });
  it.each([
    ['{', 'json'],
    [Uint8Array.of(0xff), 'encoding'],
    [new Uint8Array(9_000_000), 'size'],
  ])('a file that is not JSON is one finding', (file, code) => {
    expect(lintTask(file).map((one) => one.code)).toEqual([code]);
  });
});

describe('lintSuite', () => {
  const suite = (tasks: Record<string, object>): ReturnType<typeof readSuite> =>
    readSuite(Object.entries(tasks).map(([name, task]) => ({ path: `${name}/task.json`, bytes: bytes(task) })));
  it('finds tasks with the same target, whatever the order of the filter', () => {
    const findings = lintSuite(
      suite({
        '1': withTarget({ body: { a: 1, b: 2 } }),
        '2': withTarget({ body: { b: 2, a: 1 } }),
        '3': withTarget({ body: { a: 1 } }),
        '4': withTarget({ url_pattern: '__PLACEHOLDER_WILL_NOT_MATCH__' }),
        '5': withTarget({ url_pattern: '__PLACEHOLDER_WILL_NOT_MATCH__' }),
        '6': withTarget({ url_pattern: '/api/task-submit' }),
        '7': withTarget({ url_pattern: '/api/task-submit' }),
      }),
    ).filter(({ code }) => code === 'duplicate');
    expect(findings.map(({ path, message }) => [path, /target of ([^,]*),/.exec(message)?.[1]])).toEqual([
      ['1/task.json', '2'],
    ]);
  });
  it('warns about names that are not valid label values', () => {
    const findings = lintSuite(suite({ ['x'.repeat(70)]: good, 'ce-T001': good, 'a b': good }));
    expect(findings.filter(({ code }) => code === 'name').map(({ path }) => path.slice(0, 3))).toEqual(['a b', 'xxx']);
  });
});
