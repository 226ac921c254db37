import type { ImageReferences } from './deliver.ts';

/** `repository:tag` as the chart's values have it. A registry may carry a port, so the last colon counts. */
function imageValue(reference: string): { repository: string; tag: string; digest: string } {
  const cut = reference.lastIndexOf(':');
  return { repository: reference.slice(0, cut), tag: reference.slice(cut + 1), digest: '' };
}

/**
 * The chart's values for images that were built here. The operator watches one namespace, so that a demo in a user's
 * cluster never touches their batches.
 */
export function chartValues(
  images: ImageReferences,
  harnesses: readonly string[],
  watchNamespace: string,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const of = (name: string): unknown => imageValue(images[name] ?? `missing/${name}:none`);
  return {
    ...more,
    watchNamespace,
    images: {
      operator: of('operator'),
      recorder: of('recorder'),
      browser: of('browser'),
      judge: of('judge'),
      harnesses: Object.fromEntries(harnesses.map((name) => [name, of(`harness-${name}`)])),
    },
  };
}
