import { MUTABLE_BATCH_FIELDS } from '../crds/batch.ts';
import { MUTABLE_RUN_FIELDS } from '../crds/run.ts';

const MUTABLE: Readonly<Record<'batch' | 'run', readonly string[]>> = {
  batch: MUTABLE_BATCH_FIELDS,
  run: MUTABLE_RUN_FIELDS,
};

/** A sentence that names a field of the spec, with what to do when that field is fixed at creation. */
export function withImmutableFieldHint(message: string, kind: 'batch' | 'run'): string {
  const field = fieldOf(message);
  if (field === undefined || MUTABLE[kind].includes(field)) return message;
  const end = /[.!?…]$/.test(message) ? '' : '.';
  return `${message}${end} To change spec.${field}, delete the ${kind} and create it again.`;
}

/** Whether a sentence names a field of the spec that may change while the batch or run goes on. */
export function namesMutableField(message: string, kind: 'batch' | 'run'): boolean {
  return MUTABLE[kind].includes(fieldOf(message) ?? '');
}

function fieldOf(message: string): string | undefined {
  return /^spec\.([A-Za-z]+)/.exec(message)?.[1];
}
