import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { harness } from '../../crds/blocks/agents.ts';
import { runSpec } from '../../crds/run.ts';
import { aTask } from './batch.fixture.ts';
import { planRuns, buildRun } from './plan-runs.ts';

const harnesses = ['null', 'replay'].map((name) => harness.parse({ name }));

describe('the plan of runs', () => {
  it('has the job order: by task, repetition, model by name, and harness as given', () => {
    const runs = planRuns({
      batch: 'b',
      tasks: [aTask('001-a'), aTask('002-b')],
      models: ['m2', 'm1'],
      harnesses,
      repetitions: 2,
    });
    expect(runs).toHaveLength(16);
    const words = runs.map((run) => `${run.task.case} ${String(run.repetition)} ${run.model} ${run.harness.name}`);
    expect(words.slice(0, 9)).toEqual([
      '001-a 1 m1 null',
      '001-a 1 m1 replay',
      '001-a 1 m2 null',
      '001-a 1 m2 replay',
      '001-a 2 m1 null',
      '001-a 2 m1 replay',
      '001-a 2 m2 null',
      '001-a 2 m2 replay',
      '002-b 1 m1 null',
    ]);
    expect(runs.map((run) => run.taskIndex)).toEqual([...Array<number>(8).fill(0), ...Array<number>(8).fill(1)]);
    expect(runs.map((run) => run.order)).toEqual(runs.map((_, index) => index));
  });

  it('gives every run a name of its own, always the same, that fits a label together with its attempt', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(names, names, fc.integer({ min: 1, max: 4 }), (cases, models, repetitions) => {
        const input = { batch: 'b'.repeat(40), tasks: cases.map(aTask), models, harnesses, repetitions };
        const runs = planRuns(input);
        expect(new Set(runs.map((run) => run.name)).size).toBe(cases.length * models.length * 2 * repetitions);
        expect(planRuns(input)).toEqual(runs);
        for (const run of runs) expect(`${run.name}-a99999`.length).toBeLessThanOrEqual(63);
      }),
      { numRuns: 30 },
    );
  });

  it('builds a run that the schema accepts, with long names in annotations', () => {
    const task = aTask(`v2-001-${'x'.repeat(180)}`);
    const [run] = planRuns({ batch: 'b', tasks: [task], models: ['z-ai/glm:free'], harnesses, repetitions: 1 });
    const object = buildRun(run!, { name: 'b', uid: 'u', namespace: 'bench' });
    expect(() => runSpec.parse(object.spec)).not.toThrow();
    expect(object.metadata.annotations).toEqual({
      'claw-bench.com/model': 'z-ai/glm:free',
      'claw-bench.com/task': task.case,
      'claw-bench.com/order': '0',
    });
    for (const value of Object.values(object.metadata.labels ?? {})) expect(value.length).toBeLessThanOrEqual(63);
  });

  it('golden', async () => {
    const [run] = planRuns({ batch: 'nightly', tasks: [aTask('001-a')], models: ['m1'], harnesses, repetitions: 1 });
    const yaml = stringify(buildRun(run!, { name: 'nightly', uid: 'uid-1', namespace: 'bench' }));
    await expect(yaml).toMatchFileSnapshot('golden/run.yaml');
  });
});
