/** Directory of a published model's bundles in upstream's data set of traces. */
export function reproduceSlug(model: string): string {
  return model.replaceAll('/', '_').replaceAll(':', '-');
}
