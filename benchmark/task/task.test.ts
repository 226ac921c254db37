import { describe, expect, it } from 'vitest';
import { categoryGroup } from './category-group.ts';
import { parseTask, TaskError, siteHost } from './task.ts';

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
  it.each([
    ['half a file', '{"instruction": "do', /cut off/],
    ['a comma too many', '{\n"a": 1,\n}', /line 3, column 1/],
    ['nothing', ' ', /empty/],
    ['Latin-1', Uint8Array.from([0x22, 0xe9, 0x22]), /not UTF-8/],
    ['100 MB', new Uint8Array(100_000_000), /larger than 8 MiB/],
    ['100,000 brackets', '['.repeat(100_000) + ']'.repeat(100_000), /deeper than 500/],
  ])('refuses %s in one sentence', (_name, file, message) => {
    expect(() => parseTask(file)).toThrow(TaskError);
    expect(() => parseTask(file)).toThrow(message);
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
