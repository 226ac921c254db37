import { describe, expect, it } from 'vitest';
import { edgebenchStage1 } from './edgebench-stage1.ts';
import { evidenceSignature } from './evidence-signature.ts';
import { harborName, sforgeId } from './task-names.ts';
import { prorlReward } from './prorl-reward.ts';

describe('names', () => {
  // Observed by running upstream's two adapters over directories of these names.
  it.each([
    ['047-foo', '047-foo', '047_foo'],
    ['V2 Foo_Bar.x', 'v2-foo_bar.x', 'v2_foo_bar_x'],
    ['_x', 'x', 'x'],
    ['a--b__c', 'a-b__c', 'a_b_c'],
    ['a_.b__c-', 'a_.b__c', 'a_b_c'],
    ['Ünï-7', 'n-7', 'n_7'],
    ['-', 'task-', 'task'],
  ])('%s', (raw, harbor, sforge) => {
    expect([harborName(raw), sforgeId(raw)]).toEqual([harbor, sforge]);
  });
});

describe('prorlReward', () => {
  it.each([
    ['0.75', '{"a":1}', 0.75],
    ['not a number', '0.4', 0.4],
    [null, '{"reward": 0.5, "other": 0.1, "name": "x"}', 0.3],
    [null, '{"reward":0,"intercepted":true,"task_id":608}', 1],
    [null, '{}', 0],
    [null, '{bad', 0],
    ['-3', null, 0],
  ])('%s and %s', (text, json, reward) => {
    expect(prorlReward({ text, json })).toBeCloseTo(reward);
  });
});

describe('edgebenchStage1', () => {
  const schema = { url_pattern: 't\\.ex/hit', method: 'GET', params: { id: '5' } };
  it.each([
    ['https://t.ex/hit?id=5', 'GET', true],
    ['https://t.ex/hit?id=5&id=6', 'get', true],
    ['https://t.ex/hit?id=6&id=5', 'GET', false],
    ['https://t.ex/hit?id=5', 'POST', false],
    ['https://t.ex/miss?id=5', 'GET', false],
  ])('%s by %s', (url, method, expected) => {
    expect(edgebenchStage1(schema, { url, method, params: { id: '5' } })).toBe(expected);
  });
  it('fails closed on a pattern that does not compile, and without a request', () => {
    expect(edgebenchStage1({ url_pattern: '(' }, { url: 'x' })).toBe(false);
    expect(edgebenchStage1(schema, null)).toBe(false);
  });
});

it('gives the same signature whatever the order of keys, and another one for another request', () => {
  const one = evidenceSignature('s', { url: 'u', body: { a: 1, b: ['ü'] } });
  expect(evidenceSignature('s', { body: { b: ['ü'], a: 1 }, url: 'u' })).toBe(one);
  expect(evidenceSignature('s', { body: { b: ['u'], a: 1 }, url: 'u' })).not.toBe(one);
  expect(evidenceSignature('t', { url: 'u', body: { a: 1, b: ['ü'] } })).not.toBe(one);
});
