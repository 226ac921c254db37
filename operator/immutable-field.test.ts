import { expect, it } from 'vitest';
import { withImmutableFieldHint } from './immutable-field.ts';

it.each([
  [
    'batch',
    'spec.harnesses[0].name x is not known',
    ' To change spec.harnesses, delete the batch and create it again.',
  ],
  ['run', 'spec.harness.name x is not known.', ' To change spec.harness, delete the run and create it again.'],
  ['batch', 'spec.judge.model is not there.', ''],
  ['run', 'spec.parallelism is of a batch', ' To change spec.parallelism, delete the run and create it again.'],
  ['batch', 'The Job was deleted.', ''],
] as const)('%s: %s', (kind, message, remedy) => {
  expect(withImmutableFieldHint(message, kind)).toBe(
    remedy === '' ? message : `${message.replace(/\.$/, '')}.${remedy}`,
  );
});
