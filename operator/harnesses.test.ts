import { describe, expect, it } from 'vitest';
import { harness as schema } from '../crds/blocks/agents.ts';
import type { Images } from './config.ts';
import { harnessImage, validateHarness, usesModel } from './harnesses.ts';

const images: Images = { recorder: 'r', browser: 'b', judge: 'j', harnesses: { null: 'null:1', replay: 'replay:1' } };
const problem = (input: Parameters<typeof schema.parse>[0]): string | null =>
  validateHarness(schema.parse(input), 'spec.harnesses[1]', images);

describe('harnesses', () => {
  it.each([
    [{ name: 'null' }, null],
    [{ name: 'mine', image: 'mine:1' }, null],
    [{ name: 'replay', references: { name: 'refs' } }, null],
    [{ name: 'replay' }, /spec\.harnesses\[1\]\.references is required/],
    [{ name: 'mine' }, /spec\.harnesses\[1\]\.name mine is not a known harness .*set image/],
    [{ name: 'random-click' }, /has no image in this installation/],
    [{ name: 'hermes' }, /hermes has no image in this installation; set image/],
    [{ name: 'hermes', image: 'mine:1' }, null],
    [{ name: 'mine', image: 'mine:1', usesModel: true }, null],
    [{ name: 'null', env: [{ name: 'CLICKS', value: '9' }] }, null],
    [
      { name: 'null', env: [{ name: 'CLICKS' }, { name: 'CLAWBENCH_TASK_DIR', value: '/x' }] },
      /spec\.harnesses\[1\]\.env CLAWBENCH_TASK_DIR is reserved/,
    ],
    [{ name: 'null', env: [{ name: 'INSTRUCTION', value: 'x' }] }, /env INSTRUCTION is reserved/],
    [{ name: 'null', env: [{ name: 'TIME_LIMIT_S', value: '1' }] }, /env TIME_LIMIT_S is reserved/],
  ])('%j', (input, expected) => {
    const found = problem(input);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toMatch(expected);
  });

  it.each([
    [{ name: 'null' }, false],
    [{ name: 'mine', image: 'x' }, false],
    [{ name: 'mine', image: 'x', usesModel: true }, true],
    [{ name: 'hermes', image: 'x' }, true],
  ])('%j calls a model: %s', (input, expected) => {
    expect(usesModel(schema.parse(input))).toBe(expected);
  });

  it('the image in the spec has precedence over the chart', () => {
    expect(harnessImage({ name: 'null' }, images)).toBe('null:1');
    expect(harnessImage({ name: 'null', image: 'x' }, images)).toBe('x');
  });
});
