import { describe, expect, it } from 'vitest';
import { planOf } from './plan.ts';

const plan = (...rows: object[]): unknown[] => planOf(rows.map((row) => JSON.stringify(row)).join('\n'));
const button = { tagName: 'BUTTON', xpath: '/html[1]/body[1]/button[1]' };
const field = { tagName: 'INPUT', xpath: '/html[1]/body[1]/input[1]' };

describe('a recording of a person', () => {
  it('opens the first page, and expects the later ones to open by clicks', () => {
    expect(
      plan(
        { type: 'pageLoad', url: 'about:blank' },
        { type: 'pageLoad', url: 'http://shop.test/' },
        { type: 'click', target: button, x: 5, y: 6 },
        { type: 'pageLoad', url: 'http://shop.test/cart' },
      ),
    ).toEqual([
      { do: 'navigate', url: 'http://shop.test/' },
      { do: 'click', at: { xpath: button.xpath } },
      { do: 'arrive', url: 'http://shop.test/cart' },
    ]);
  });

  it('types the final value of a field, and not each key', () => {
    expect(
      plan(
        { type: 'keydown', key: 'H', target: field },
        { type: 'input', value: 'H', target: field },
        { type: 'keydown', key: 'i', target: field },
        { type: 'change', value: 'Hi', target: field },
        { type: 'keydown', key: 'Tab', target: field },
      ),
    ).toEqual([
      { do: 'fill', at: { xpath: field.xpath }, value: 'H' },
      { do: 'fill', at: { xpath: field.xpath }, value: 'Hi' },
      { do: 'press', key: 'Tab' },
    ]);
  });

  it('submits a form once', () => {
    const form = { tagName: 'FORM', xpath: '/html[1]/body[1]/form[1]' };
    expect(plan({ type: 'click', target: button }, { type: 'submit', target: form })).toHaveLength(1);
    expect(plan({ type: 'keydown', key: 'Enter', target: field }, { type: 'submit', target: form })).toHaveLength(1);
    expect(plan({ type: 'submit', target: form })).toEqual([{ do: 'submit', at: { xpath: form.xpath } }]);
  });

  it('changes a checkbox by its click, and a file input by its own row', () => {
    expect(plan({ type: 'change', value: 'on', target: field })).toEqual([]);
    expect(plan({ type: 'change', value: 'C:\\fakepath\\cv.pdf', target: field })).toEqual([]);
    expect(plan({ type: 'file', selector: '#cv', name: 'cv.txt', content: 'hi' })).toEqual([
      { do: 'choose', at: { selector: '#cv' }, file: { name: 'cv.txt', base64: 'aGk=', type: 'text/plain' } },
    ]);
  });
});

it('clicks a position if there is no element', () => {
  expect(plan({ type: 'click', x: 10, y: 20 })).toEqual([{ do: 'click', at: { x: 10, y: 20 } }]);
});

it('names the line that is not a row', () => {
  expect(() => planOf('{"type":"wait"}\n\nnonsense')).toThrow('line 3');
});
