import { describe, expect, it } from 'vitest';
import type { SuiteFile } from '../../benchmark/task/suite.ts';
import { batchSpec } from '../../crds/batch.ts';
import { leastBatch } from '../../crds/samples.fixture.ts';
import { readInlineTask } from '../../operator/standalone-run/inline-task.ts';
import { checkSuite } from './check-suite.ts';
import { BatchRefusal } from './refusal.ts';

const task = (more: object = {}): object => ({
  instruction: 'do',
  eval_schema: { url_pattern: '^https://a\\.test', method: 'POST' },
  time_limit: 30,
  ...more,
});
const file = (name: string, content: unknown): SuiteFile => ({
  path: `${name}/task.json`,
  bytes: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
});
const suite = (select: object = {}): Parameters<typeof checkSuite>[1] =>
  batchSpec.parse({ ...leastBatch(), suite: { name: 's', configMapRef: { name: 's' }, select } }).suite;

describe('a task that no Pod can run', () => {
  const bad: [string, object, RegExp][] = [
    ['a prompt longer than a variable', task({ instruction: 'x'.repeat(140_000) }), /longer than the 131059/],
    ['notes longer than a variable', task({ extra_info: ['x'.repeat(140_000)] }), /shorten extra_info/],
    ['NUL', task({ instruction: 'a\0' }), /instruction contains a NUL/],
    ['half a character', task({ instruction: 'a\ud800' }), /lone surrogate/],
    ['an endless time', task({ time_limit: 1e300 }), /time_limit/],
  ];

  it.each(bad)('%s refuses the batch, naming the task', (_, content, message) => {
    const files = [file('001-a', task()), file('002-b', content)];
    const refusal = (() => {
      try {
        return checkSuite(files, suite());
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(BatchRefusal);
    expect(refusal).toMatchObject({ reason: 'TaskInvalid', message: expect.stringMatching(message) });
    expect((refusal as BatchRefusal).message).toMatch(/^task 002-b: /);
    expect(checkSuite(files, suite({ ids: '1' })).map((row) => row.case)).toEqual(['001-a']);
  });

  it.each(bad)('%s refuses a standalone run that carries it', (_, content, message) => {
    expect(readInlineTask(content as Record<string, unknown>).problem).toMatch(message);
  });

  it.each([
    ['x'.repeat(300), /253/],
    ['a\u0007b', /control/],
  ])('a case of a name such as %j', (name, message) => {
    expect(() => checkSuite([file(name, task())], suite())).toThrow(message);
  });
});

it('reads the selected tasks in task order, and reports when none is selected', () => {
  const files = [file('2-b', task()), file('1-a', task()), file('3-c', '{')];
  expect(checkSuite(files, suite({ ids: '1-2' })).map((row) => row.case)).toEqual(['1-a', '2-b']);
  expect(() => checkSuite(files, suite())).toThrow(/^task 3-c: the task file is not valid JSON/);
  expect(() => checkSuite(files, suite({ ids: '9' }))).toThrow(/matches no task: suite \S+ has 3 tasks$/);
  expect(() => checkSuite(files.slice(0, 1), suite({ ids: '9' }))).toThrow(/matches no task: suite \S+ has 1 task$/);
});
