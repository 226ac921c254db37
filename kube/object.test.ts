import { expect, it } from 'vitest';
import { apiVersionOf, controllerOf, keyOf } from './object.ts';

it.each([
  ['ns/a', { namespace: 'ns', name: 'a' }],
  ['a', { name: 'a' }],
])('%s is the key of %j', (key, metadata) => {
  expect(keyOf({ metadata })).toBe(key);
});

it('names core and grouped versions', () => {
  expect(apiVersionOf({ group: '', version: 'v1' })).toBe('v1');
  expect(apiVersionOf({ group: 'batch', version: 'v1' })).toBe('batch/v1');
});

it('finds the managing owner among owners', () => {
  const owner = (uid: string, controller?: boolean) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    name: uid,
    uid,
    ...(controller === undefined ? {} : { controller }),
  });
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', ownerReferences: [owner('x'), owner('y', true)] },
  };
  expect(controllerOf(object)?.uid).toBe('y');
  expect(controllerOf({ ...object, metadata: { name: 'a' } })).toBeUndefined();
});
