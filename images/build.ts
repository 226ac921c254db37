import { join } from 'node:path';
import { ensureBaseImages } from '../test/cluster/base-images.ts';
import { buildImage } from '../test/cluster/build-image.ts';
import { tryRun } from '../test/cluster/run-command.ts';
import { bundle } from './bundle.ts';
import { IMAGES, RELEASE_IMAGES, type ImageSpec } from './catalog.ts';
import { gatherContext } from './context.ts';
import { buildStatic } from './static-build.ts';

const ROOT = join(import.meta.dirname, '..');

export interface BuiltImage {
  readonly name: string;
  /** `localhost/clawbench-NAME:HASH` in buildah's store. */
  readonly tag: string;
  readonly big: boolean;
  /** As buildah reports it, base included. */
  readonly size: string;
}

/** Builds the images that have changed. */
export async function buildImages(names: readonly string[] = RELEASE_IMAGES): Promise<BuiltImage[]> {
  const specs = IMAGES.filter(({ name }) => names.includes(name));
  const programs = [...new Set(specs.flatMap((spec) => spec.programs))];
  const binaries = [...new Set(specs.flatMap((spec) => spec.binaries ?? []))];
  const compiled = Promise.all(binaries.map((name) => buildStatic(ROOT, name)));
  const [bases, made] = await Promise.all([ensureBaseImages(), bundle(programs), compiled]);
  const built: BuiltImage[] = [];
  for (const spec of specs) {
    if (spec.programs.some((program) => !(program in made))) continue;
    built.push(await build(spec, bases[spec.base]));
  }
  return built;
}

async function build(spec: ImageSpec, base: string): Promise<BuiltImage> {
  const baseId =
    (await tryRun('buildah', ['inspect', '--type', 'image', '--format', '{{.FromImageID}}', base])) ?? base;
  const { dir, hash } = await gatherContext(ROOT, spec, baseId.trim());
  const tag = `localhost/clawbench-${spec.name}:${hash}`;
  const known = await sizeOf(tag);
  if (known === null) await buildImage({ dir, tag, buildArgs: { BASE: base } });
  return { name: spec.name, tag, big: spec.big === true, size: known ?? (await sizeOf(tag)) ?? 'unknown' };
}

async function sizeOf(tag: string): Promise<string | null> {
  const found = await tryRun('buildah', ['images', '--noheading', '--format', '{{.Size}}', tag]);
  const text = found?.trim() ?? '';
  return text === '' ? null : text;
}
