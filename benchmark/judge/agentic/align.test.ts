import fc from 'fast-check';
import { expect, it } from 'vitest';
import { alignSteps } from './align.ts';
import { sessionSteps } from './evidence.ts';

const at = (page: string, type = 'click'): Record<string, unknown> => ({ type, url: `https://shop.test/${page}` });

it('pairs equal steps and leaves the others unpaired', () => {
  const agent = [at('a'), at('detour'), at('b?session=1'), at('order/17')];
  const human = [at('a'), at('b?session=2'), at('form'), at('order/99')];
  expect(alignSteps(agent, human)).toEqual([
    { agent: 0, reference: 0 },
    { agent: 1, reference: null },
    { agent: 2, reference: 1 },
    { agent: null, reference: 2 },
    { agent: 3, reference: 3 },
  ]);
});

it('lists every step of both sessions once, in order', () => {
  const steps = fc.array(fc.constantFrom(...['a', 'b', 'c'].map((page) => at(page))), { maxLength: 12 });
  fc.assert(
    fc.property(steps, steps, (agent, human) => {
      const rows = alignSteps(agent, human);
      const [left, right] = [rows.map((row) => row.agent), rows.map((row) => row.reference)];
      expect(left.filter((index) => index !== null)).toEqual([...agent.keys()]);
      expect(right.filter((index) => index !== null)).toEqual([...human.keys()]);
    }),
  );
});

it('treats clicks and inputs as steps, not scrolling or single letters', () => {
  const rows = [
    at('a', 'scroll'),
    { ...at('a', 'keydown'), key: 'x' },
    { ...at('a', 'keydown'), key: 'Enter' },
    at('a', 'input'),
  ];
  expect(sessionSteps(rows).map((row) => row['type'])).toEqual(['keydown', 'input']);
});
