import { describe, expect, it } from 'vitest';
import { fnmatch } from '../text/fnmatch.ts';
import { parseIdSelection, SelectionError } from './id-selection.ts';
import { selectCases, type Selection } from './select-cases.ts';
import { readSuite, SuiteError, type SuiteFile } from './suite.ts';
import { lintSuite } from '../lint/suite-lint.ts';
import { parseTask } from './task.ts';

const aTask = (more: object = {}): string =>
  JSON.stringify({ instruction: 'do', eval_schema: { url_pattern: 'x', method: 'POST' }, time_limit: 30, ...more });
const file = (path: string, text = aTask()): SuiteFile => ({ path, bytes: new TextEncoder().encode(text) });

describe('readSuite', () => {
  it('finds both layouts below any leading folder, in task order', () => {
    const suite = readSuite([
      file('v1/010-b/task.json'),
      file('./v1/002-a/task.json'),
      file('v1/002-a/extra_info/e.json', '{}'),
      file('v1/ce-T005-x.json'),
      file('v1/eligibility-report.json', '{}'),
      file('v1/zebra/task.json'),
    ]);
    expect(suite.cases.map((one) => [one.name, one.listed, one.taskPath])).toEqual([
      ['002-a', '002-a', 'v1/002-a/task.json'],
      ['ce-T005-x', 'ce-T005-x.json', 'v1/ce-T005-x.json'],
      ['010-b', '010-b', 'v1/010-b/task.json'],
      ['zebra', 'zebra', 'v1/zebra/task.json'],
    ]);
    expect([...(suite.cases[0]?.files.keys() ?? [])]).toEqual(['task.json', 'extra_info/e.json']);
  });
  it('reads a single task directory as a suite of one', () => {
    expect(readSuite([file('task.json'), file('notes.json', '{}')]).cases.map((one) => one.name)).toEqual(['task']);
  });
  it('ignores hidden files and paths that leave the suite', () => {
    expect(
      readSuite([file('a/task.json'), file('__MACOSX/a/task.json'), file('.git/x/task.json'), file('../b/task.json')])
        .cases,
    ).toHaveLength(1);
  });
  it('refuses an empty suite and two cases of one name', () => {
    expect(() => readSuite([file('readme.md')])).toThrow(SuiteError);
    expect(() => readSuite([file('x/a/task.json'), file('y/a/task.json')])).toThrow(/"a"/);
  });
  it('is linted as a whole', () => {
    const twice = { metadata: { task_id: 7 } };
    const findings = lintSuite(
      readSuite([file('1/task.json', aTask(twice)), file('2/task.json', aTask(twice)), file('3/task.json', '{')]),
    );
    const doubled = findings.filter(({ pointer }) => pointer === '/metadata/task_id');
    expect(doubled.map(({ path, message }) => [path, message])).toEqual([
      ['1/task.json', expect.stringContaining('also used by 2;')],
    ]);
    expect(findings.find(({ code }) => code === 'json')?.path).toBe('3/task.json');
  });
});

describe('selectCases', () => {
  const cases = readSuite([
    file(
      '002-a/task.json',
      aTask({ metadata: { metaclass: 'travel', class: 'hotel', sites_involved: ['https://www.booking.com/x'] } }),
    ),
    file('1065/task.json'),
    file(
      'v2-1065b-x/task.json',
      aTask({ metadata: { metaclass: 'daily-life', class: 'pets', sites_involved: ['eats.uber.com'] } }),
    ),
    file(
      'named/task.json',
      aTask({
        metadata: { task_id: 3 },
        eval_schema: { url_pattern: '__PLACEHOLDER_WILL_NOT_MATCH__', method: 'POST' },
      }),
    ),
  ]).cases.map((one) => ({ case: one, task: parseTask(one.taskBytes) }));
  it.each<[Selection, string[]]>([
    [{}, ['002-a', '1065', 'v2-1065b-x', 'named']],
    [{ ids: '1-50' }, ['002-a', 'named']],
    [{ ids: '2, 1065' }, ['002-a', '1065', 'v2-1065b-x']],
    [{ ids: '1065b' }, ['v2-1065b-x']],
    [{ ids: '*' }, ['002-a', '1065', 'v2-1065b-x', 'named']],
    [{ cases: ['v2-*', 'nam?d'] }, ['v2-1065b-x', 'named']],
    [{ categories: ['pets', 'travel/hotel'] }, ['002-a', 'v2-1065b-x']],
    [{ sites: ['booking.com', 'uber.com'] }, ['002-a', 'v2-1065b-x']],
    [{ sites: ['king.com'] }, []],
    [{ placeholders: 'Exclude' }, ['002-a', '1065', 'v2-1065b-x']],
    [{ limit: 2 }, ['002-a', '1065']],
    [{ ids: '1-50', placeholders: 'Exclude' }, ['002-a']],
  ])('%j', (selection, names) => {
    expect(selectCases(cases, selection).map((one) => one.case.name)).toEqual(names);
  });
  it.each(['a', '5-1', '1-', '1-2-3', '1b-3'])('refuses ids %s', (ids) => {
    expect(() => parseIdSelection(ids)).toThrow(SelectionError);
  });
});

describe('fnmatch', () => {
  it.each([
    ['*', 'a/b', true],
    ['z-ai/*', 'z-ai/glm-4.5:free', true],
    ['glm.5', 'glmx5', false],
    ['[ab]x', 'bx', true],
    ['[!ab]x', 'bx', false],
    ['[', '[', true],
    ['[]]', ']', true],
    ['a+b', 'a+b', true],
    ['A*', 'ab', false],
    ['*a*a*a*a*a*a*b', 'a'.repeat(2000), false],
  ])('%s on %.10s: %s', (pattern, name, matches) => {
    expect(fnmatch(pattern)(name)).toBe(matches);
  });
});
