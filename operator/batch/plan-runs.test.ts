import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { harness } from '../../crds/blocks/agents.ts';
import { runSpec } from '../../crds/run.ts';
import { aTask } from './batch.fixture.ts';
import { expand, runObject } from './plan-runs.ts';

const harnesses = ['null', 'replay'].map((name) => harness.parse({ name }));

describe('expansion', () => {
  it('goes by task, then model, harness and repetition', () => {
    const runs = expand({
      batch: 'b',
      tasks: [aTask('001-a'), aTask('002-b')],
      models: ['m1', 'm2'],
      harnesses,
      repetitions: 2,
    });
    expect(runs).toHaveLength(16);
    const words = runs.map((run) => `${run.task.case} ${run.model} ${run.harness.name} ${String(run.repetition)}`);
    expect(words.slice(0, 5)).toEqual([
      '001-a m1 null 1',
      '001-a m1 null 2',
      '001-a m1 replay 1',
      '001-a m1 replay 2',
      '001-a m2 null 1',
    ]);
    expect(runs.map((run) => run.place)).toEqual([...Array<number>(8).fill(0), ...Array<number>(8).fill(1)]);
  });

  it('gives every run a name of its own, the same each time, that fits a label with its attempt', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(names, names, fc.integer({ min: 1, max: 4 }), (cases, models, repetitions) => {
        const input = { batch: 'b'.repeat(40), tasks: cases.map(aTask), models, harnesses, repetitions };
        const runs = expand(input);
        expect(new Set(runs.map((run) => run.name)).size).toBe(cases.length * models.length * 2 * repetitions);
        expect(expand(input)).toEqual(runs);
        for (const run of runs) expect(`${run.name}-a99999`.length).toBeLessThanOrEqual(63);
      }),
      { numRuns: 30 },
    );
  });

  it('makes a run that the schema accepts, with long names in annotations', () => {
    const task = aTask(`v2-001-${'x'.repeat(180)}`);
    const [run] = expand({ batch: 'b', tasks: [task], models: ['z-ai/glm:free'], harnesses, repetitions: 1 });
    const object = runObject(run!, { name: 'b', uid: 'u', namespace: 'bench' });
    expect(() => runSpec.parse(object.spec)).not.toThrow();
    expect(object.metadata.annotations).toEqual({
      'claw-bench.com/model': 'z-ai/glm:free',
      'claw-bench.com/task': task.case,
      'claw-bench.com/order': '0',
    });
    for (const value of Object.values(object.metadata.labels ?? {})) expect(value.length).toBeLessThanOrEqual(63);
  });

  it('golden', async () => {
    const [run] = expand({ batch: 'nightly', tasks: [aTask('001-a')], models: ['m1'], harnesses, repetitions: 1 });
    const yaml = stringify(runObject(run!, { name: 'nightly', uid: 'uid-1', namespace: 'bench' }));
    await expect(yaml).toMatchFileSnapshot('golden/run.yaml');
  });
});
