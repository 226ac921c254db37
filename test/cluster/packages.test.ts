import { expect, it } from 'vitest';
import { missingPackages } from './packages.ts';

it('a package that was removed but left its configuration is missing', () => {
  const listing = 'buildah installed\nrunc config-files\nsomething installed\n';
  expect(missingPackages(['buildah', 'runc', 'containerd'], listing)).toEqual(['runc', 'containerd']);
});
