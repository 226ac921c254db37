import { MUTABLE_BATCH_FIELDS } from '../crds/batch.ts';
import { MUTABLE_RUN_FIELDS } from '../crds/run.ts';

const MUTABLE: Readonly<Record<'batch' | 'run', readonly string[]>> = {
  batch: MUTABLE_BATCH_FIELDS,
  run: MUTABLE_RUN_FIELDS,
};

/** A message that names a field of the spec, with the remedy added when that field cannot change after creation. */
export function withImmutableFieldHint(message: string, kind: 'batch' | 'run'): string {
  const field = fieldOf(message);
  if (field === undefined || MUTABLE[kind].includes(field)) return message;
  const end = /[.!?…]$/.test(message) ? '' : '.';
  return `${message}${end} To change spec.${field}, delete the ${kind} and create it again.`;
}

/** Whether a message names a field of the spec that may still change. */
export function namesMutableField(message: string, kind: 'batch' | 'run'): boolean {
  return MUTABLE[kind].includes(fieldOf(message) ?? '');
}

function fieldOf(message: string): string | undefined {
  return /^spec\.([A-Za-z]+)/.exec(message)?.[1];
}
