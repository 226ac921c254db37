import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decodeBody } from '../../benchmark/request/body.ts';
import { compileTarget } from '../../benchmark/request/predicate.ts';
import { parseTask } from '../../benchmark/task/task.ts';
import { lintPaths } from '../../cli/tasks/lint.ts';
import { planOf } from '../../images/harness-replay/plan.ts';
import { RULES } from './judge/rules.ts';

const HERE = import.meta.dirname;
const cases = readdirSync(join(HERE, 'tasks'));
const task = (name: string): ReturnType<typeof parseTask> =>
  parseTask(readFileSync(join(HERE, 'tasks', name, 'task.json')));

it.each(cases)('%s is a task with a pattern, a playable reference and exactly one rule', (name) => {
  const { evalSchema, instruction } = task(name);
  expect(compileTarget(evalSchema).armed).toBe(true);
  expect(planOf(readFileSync(join(HERE, 'references', `${name}.jsonl`), 'utf8')).length).toBeGreaterThan(3);
  expect(RULES.filter((rule) => instruction.includes(rule.task))).toHaveLength(1);
});

it('distinguishes the terminal request of the GraphQL site from its other calls', () => {
  const target = compileTarget(task('demo-004-rating-voting-review-nightreel').evalSchema);
  const json = (value: unknown): ReturnType<typeof decodeBody> =>
    decodeBody({
      bytes: Buffer.from(JSON.stringify(value)),
      status: 'complete',
      headers: { 'content-type': 'application/json' },
    });
  const request = { url: 'https://nightreel.demo.test/graphql', method: 'POST' };
  expect(target.matches({ ...request, body: json({ operationName: 'FilmPage' }) })).toBe('no-match');
  expect(target.matches({ ...request, body: json({ operationName: 'PublishReview' }) })).toBe('match');
});

it('is a suite without lint warnings, because people copy from it', async () => {
  const report = await lintPaths([join(HERE, 'tasks')]);
  expect([report.tasks, report.errors, report.warnings]).toEqual([cases.length, [], []]);
});
