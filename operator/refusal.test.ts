import { expect, it } from 'vitest';
import { ForeignObject } from '../kube/ensure-owned.ts';
import { ApiError, ApiUnreachable } from '../kube/errors.ts';
import { isRefusal } from './refusal.ts';

const answer = (status: number): ApiError =>
  new ApiError({ status, reason: '', message: '', method: 'POST', path: '/' });

it('what may pass by itself is no refusal', () => {
  expect([400, 403, 409, 422].map((status) => isRefusal(answer(status)))).toEqual([true, true, true, true]);
  expect([429, 500, 503].map((status) => isRefusal(answer(status)))).toEqual([false, false, false]);
  expect(isRefusal(new ForeignObject('Job', 'a/b', undefined))).toBe(true);
  expect(isRefusal(new ApiUnreachable('gone', { timedOut: true }))).toBe(false);
});
