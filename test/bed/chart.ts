import { run } from './commands.ts';
import type { ImageReferences } from './images.ts';

/** `repository:tag` as the chart's values have it. A registry may carry a port, so the last colon counts. */
function imageValue(reference: string): { repository: string; tag: string; digest: string } {
  const cut = reference.lastIndexOf(':');
  return { repository: reference.slice(0, cut), tag: reference.slice(cut + 1), digest: '' };
}

/** The chart's values for images that were built here; the operator keeps to one namespace, so that a demo in
 * somebody's own cluster never touches their batches. */
export function chartValues(
  images: ImageReferences,
  harnesses: readonly string[],
  watchNamespace: string,
): Record<string, unknown> {
  const of = (name: string): unknown => imageValue(images[name] ?? `missing/${name}:none`);
  return {
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

/** Installs or upgrades the chart and waits for the operator. */
export async function installChart(
  helm: string,
  namespace: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  const args = [
    'upgrade',
    '--install',
    'clawbench',
    'charts/clawbench',
    '-n',
    namespace,
    '--create-namespace',
    // CRDs outlive a release (helm.sh/resource-policy: keep), so they may bear an earlier one's name.
    '--take-ownership',
    '--wait',
    '--timeout',
    '120s',
    '-f',
    '-',
  ];
  await run(helm, args, { input: JSON.stringify(values), limitMs: 180_000 });
}

/** Removes the release. The CRDs stay (helm.sh/resource-policy: keep); `kubectl delete crd` removes them. */
export async function uninstallChart(helm: string, namespace: string): Promise<void> {
  await run(helm, ['uninstall', 'clawbench', '-n', namespace, '--ignore-not-found', '--wait', '--timeout', '60s']);
}
