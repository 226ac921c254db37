import { describe, expect, it } from 'vitest';
import { categoryGroup } from './category-group.ts';
import { siteHost } from './site-host.ts';
import { lintTask } from './task-lint.ts';
import { parseTask, TaskError } from './task.ts';

const good = { instruction: 'do', eval_schema: { url_pattern: 'x', method: 'POST' }, time_limit: 0.5 };
const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

describe('parseTask', () => {
  it('reads what the runner needs', () => {
    const task = parseTask(
      bytes({
        ...good,
        judge_context: { rubric: 'r' },
        metadata: { task_id: 7, metaclass: 'travel', class: 'c', sites_involved: ['web'] },
      }),
    );
    expect(task).toMatchObject({
      timeLimitSeconds: 30,
      taskId: 7,
      group: 'Travel',
      site: '',
      placeholder: false,
      judgeContext: { rubric: 'r' },
    });
  });
  it('keeps big integers of filters exactly', () => {
    const task = parseTask(
      '{"instruction":"do","eval_schema":{"url_pattern":"x","method":"POST","body":{"id":9007199254740993}},"time_limit":1}',
    );
    expect(task.evalSchema['body']).toEqual({ id: 9007199254740993n });
  });
  it.each([
    [[], ''],
    [{ ...good, instruction: ' ' }, '/instruction'],
    [{ ...good, eval_schema: { url_pattern: 'x' } }, '/eval_schema/method'],
    [{ ...good, eval_schema: { mode: 'judge' } }, '/eval_schema/url_pattern'],
    [{ ...good, time_limit: true }, '/time_limit'],
    [{ ...good, time_limit: 0 }, '/time_limit'],
  ])('refuses %j at %s', (value, pointer) => {
    expect(() => parseTask(bytes(value))).toThrow(TaskError);
    try {
      parseTask(bytes(value));
    } catch (error) {
      expect(error).toMatchObject({ pointer });
    }
  });
  it('refuses what is no JSON', () => {
    expect(() => parseTask('{')).toThrow(/not valid JSON/);
  });
});

describe('lintTask', () => {
  const codes = (value: unknown, files?: ReadonlyMap<string, Uint8Array>): string[] =>
    lintTask(bytes(value), files).map((one) => `${one.severity}:${one.code}:${one.pointer}`);
  it('has nothing to say about a good task', () => {
    expect(codes({ ...good, time_limit: 30 }, new Map())).toEqual([]);
  });
  it.each([
    [{ ...good, time_limit: 30, zzz: 1 }, 'error:schema:'],
    [
      { ...good, time_limit: 30, eval_schema: { url_pattern: '(?=x)', method: 'POST' } },
      'error:pattern:/eval_schema/url_pattern',
    ],
    [
      { ...good, time_limit: 30, eval_schema: { url_pattern: 'x', method: 'POST', params: { id: 5 } } },
      'warning:filter:/eval_schema/params/id',
    ],
    [
      { ...good, time_limit: 30, eval_schema: { url_pattern: 'x', method: 'GET' } },
      'warning:navigation:/eval_schema/method',
    ],
    [{ ...good, time_limit: 30, extra_info: [{ path: 'a.json', description: 'd' }] }, 'error:extra-info:/extra_info'],
    [
      { ...good, time_limit: 30, extra_info: [{ path: '../a.json', description: 'd' }] },
      'error:extra-info:/extra_info',
    ],
  ])('%j gives %s', (value, finding) => {
    expect(codes(value, new Map())).toContain(finding);
  });
  it('finds a body filter that is no object', () => {
    expect(codes({ ...good, time_limit: 30, eval_schema: { url_pattern: 'x', method: 'POST', body: 'a' } })).toContain(
      'error:filter:/eval_schema/body',
    );
  });
});

describe('categoryGroup', () => {
  it.each([
    ['daily-life', 'food', 'Daily'],
    ['daily-life', 'pets', 'Pets'],
    ['personal-management', 'budget-mgmt', 'Finance'],
    ['personal-management', 'other', 'Work'],
    ['Home-Services', 'x', 'Daily'],
    ['pet-care', '', 'Pets'],
    ['claw-eval', 'security', 'Other'],
    ['', '', 'Other'],
  ])('%s/%s is %s', (metaclass, klass, group) => {
    expect(categoryGroup(metaclass, klass)).toBe(group);
  });
});

describe('siteHost', () => {
  it.each([
    [['https://www.eventbrite.com'], 'eventbrite.com'],
    [['airtable.com/app', 'x.com'], 'airtable.com'],
    [['web'], ''],
    [['Mail.Google.com.'], 'mail.google.com'],
    [[], ''],
    [undefined, ''],
    [[5], ''],
    [['not a host'], ''],
  ])('%j is %s', (sites, host) => {
    expect(siteHost(sites)).toBe(host);
  });
});
