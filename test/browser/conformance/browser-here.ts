import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ensureBinary } from '../../../cli/local/static-binary.ts';
import { CHROMIUM, LISTENER } from '../interception/launch-chromium.ts';

/** What starting a browser as the Pod does also needs: its own network namespace, and a forwarder. */
const NEEDED: readonly (readonly [string, readonly string[]])[] = [
  ['unshare', ['-n', 'true']],
  ['socat', ['-V']],
];

/** Why no browser can be started on this machine, as text to follow "and"; null when it can. */
export async function whyNoBrowser(): Promise<string | null> {
  if (!existsSync(CHROMIUM)) return `there is no ${CHROMIUM} here`;
  const lacking = NEEDED.find(([program, options]) => spawnSync(program, options, { stdio: 'ignore' }).status !== 0);
  if (lacking !== undefined) return `\`${lacking.flat().join(' ')}\` does not work here`;
  return ensureBinary(LISTENER, 'listener').then(
    () => null,
    (error: Error) => `its listener is not here: ${error.message}`,
  );
}
