import { buildImages } from '../../images/build.ts';
import type { Deliver, ImageReferences } from '../../images/deliver.ts';

/** Builds what has changed and delivers all of it; without `names` what a release has. */
export async function ensureImages(deliver: Deliver, names?: readonly string[]): Promise<ImageReferences> {
  const references: Record<string, string> = {};
  for (const image of await buildImages(names))
    references[image.name] = await deliver(image.tag, image.big ? 'big' : 'changing');
  return references;
}
