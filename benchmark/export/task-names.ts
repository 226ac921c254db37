/** Name of a task in a Harbor data set: lower case, other characters as single dashes, none at either end. */
export function harborName(raw: string): string {
  const name = raw
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+|-+/g, '-')
    .replaceAll(/-+/g, '-')
    .replaceAll(/^[-._]+|[-._]+$/g, '');
  return name === '' ? 'task-' : name;
}

/** Identifier of a task in an EdgeBench (SForge) benchmark: lower case, everything else as single underscores. */
export function sforgeId(raw: string): string {
  const id = raw.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
  return id.replaceAll(/^_+|_+$/g, '') || 'task';
}
