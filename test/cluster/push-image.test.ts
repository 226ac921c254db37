import { expect, it } from 'vitest';
import { registryReference } from './push-image.ts';

it('an image keeps its name and tag in the registry', () => {
  expect(registryReference('localhost/clawbench/recorder:ab12')).toBe('127.0.0.1:15000/clawbench/recorder:ab12');
  expect(registryReference('fixture:1')).toBe('127.0.0.1:15000/fixture:1');
});
