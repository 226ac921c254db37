/** Identifier of a task in an EdgeBench (SForge) benchmark: lower case, everything else as single underscores. */
export function sforgeId(raw: string): string {
  const id = raw.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
  return id.replaceAll(/^_+|_+$/g, '') || 'task';
}
