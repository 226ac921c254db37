import { expect, it } from 'vitest';
import { userPrompt } from '../../../benchmark/judge/user-prompt.ts';
import { rule } from './rules.ts';

const order = 'order exactly two of the notebook called Meadow …';

it('matches when everything requested is in the request, whatever the spacing', () => {
  const request = '{\n  "title": "Meadow",\n  "colour": "moss",\n  "quantity": 2,\n  "delivery": "standard"\n}';
  expect(rule(`${order}\n${request}`)).toMatchObject({ match: true });
});

it('reports what a wrong request lacks', () => {
  const ruling = rule(`${order}\n{"title":"Meadow","colour":"ink","quantity":2,"delivery":"standard"}`);
  expect(ruling).toEqual({ match: false, reason: 'the request lacks "colour":"moss"' });
});

it('compares an unknown research task with its reference', () => {
  const reference = '1. search("advisory") → it is fixed in version 4, released in May of that year.';
  const message = (answer: string): string =>
    userPrompt(
      'answer',
      {
        instruction: 'Find out.',
        request: { url: 'http://127.0.0.1:7878/api/task-submit', method: 'POST', body: { answer } },
        context: { reference_solution: reference },
      },
      'n0nce',
    );
  expect(rule(message(reference)).match).toBe(true);
  expect(rule(message('I do not know at all, sorry about that')).match).toBe(false);
  expect(rule(message('')).match).toBe(false);
});
