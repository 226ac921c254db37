import { expect, it } from 'vitest';
import { TaskError } from '../../benchmark/task/task.ts';
import { formatRows, listTasks } from './list.ts';

const file = (name: string, text: string): { path: string; bytes: Uint8Array } => ({
  path: `${name}/task.json`,
  bytes: Buffer.from(text),
});
const task = (site: string): string =>
  JSON.stringify({
    instruction: 'do',
    eval_schema: { url_pattern: 'x', method: 'POST' },
    time_limit: 30,
    metadata: { task_id: 7, metaclass: 'travel', class: 'hotel', sites_involved: [site] },
  });

it('lists the selected tasks', () => {
  const files = [file('001-a', task('a.test')), file('002-b', task('b.test'))];
  expect(listTasks(files, { sites: ['b.test'] })).toEqual([
    {
      case: '002-b',
      id: 7,
      group: 'Travel',
      category: 'travel/hotel',
      site: 'b.test',
      minutes: 30,
      placeholder: false,
    },
  ]);
});

it('names the case that cannot be read', () => {
  expect(() => listTasks([file('001-a', '{')], {})).toThrow(TaskError);
  expect(() => listTasks([file('001-a', '{')], {})).toThrow(/^001-a: /);
});

it('prints rows as table, JSON and YAML', () => {
  const rows = [{ case: 'a', id: null, placeholder: true }];
  expect(formatRows(rows, 'table')).toBe('CASE  ID  PLACEHOLDER\na         yes');
  expect(JSON.parse(formatRows(rows, 'json'))).toEqual(rows);
  expect(formatRows(rows, 'yaml')).toBe('- case: a\n  id: null\n  placeholder: true');
  expect(formatRows([], 'table')).toBe('No resources found.');
});
