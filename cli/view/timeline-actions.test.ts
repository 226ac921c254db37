import { expect, it } from 'vitest';
import { timelineActions } from './timeline-actions.ts';

const none = new Set<string>();

it('describes the action and its target', () => {
  const rows = [
    { type: 'pageLoad', timestamp: 1, url: 'u', title: 'Shop' },
    {
      type: 'click',
      timestamp: 2,
      target: { tagName: 'BUTTON', id: 'go', textContent: ' Place\n order ' },
      x: 3,
      y: 4,
    },
    { type: 'input', timestamp: 3, target: { tagName: 'SELECT', textContent: 'redgreen' }, value: 'red' },
    { type: 'submit', timestamp: 4, target: { tagName: 'FORM', id: 'f', textContent: 'all of it' } },
    { type: 'random_click', x: 5, y: 6 },
    { type: 'own', note: 'x' },
  ];
  expect(timelineActions(rows, none).map((step) => step.what)).toEqual([
    'Shop',
    'button#go “Place order” at 3, 4',
    'select = “red”',
    'form#f',
    'at 5, 6',
    '{"type":"own","note":"x"}',
  ]);
});

it('joins consecutive keys', () => {
  const key = (type: string, name: string): object => ({ type, key: name, timestamp: 7 });
  const rows = [key('keydown', 'a'), key('keyup', 'a'), key('keydown', 'Enter'), { type: 'scroll', scrollY: 9 }];
  expect(timelineActions(rows as never, none).map(({ type, what }) => [type, what])).toEqual([
    ['keys', 'a Enter'],
    ['scroll', 'to 0, 9'],
  ]);
});

it('uses the last screenshot before an action without one', () => {
  const rows = [1, 2, 3].map((timestamp) => ({ type: 'click', timestamp }));
  const steps = timelineActions(rows, new Set(['2.png', '9.png']));
  expect(steps.map(({ screenshot, own }) => [screenshot, own])).toEqual([
    [null, false],
    ['2.png', true],
    ['2.png', false],
  ]);
});

it('accepts rows of any shape', () => {
  const rows = [{}, { type: 5, timestamp: 'now', target: [] }, { type: 'click', timestamp: 1e300, target: null }];
  expect(timelineActions(rows, none).map((step) => step.at)).toEqual([null, null, null]);
});
