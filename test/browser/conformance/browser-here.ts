import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { CHROMIUM } from '../interception/launch-chromium.ts';

/** What else a browser needs to be started as the Pod starts it: a network namespace of its own, and forwarders. */
const NEEDED: readonly (readonly [string, readonly string[]])[] = [
  ['unshare', ['-n', 'true']],
  ['socat', ['-V']],
];

/** Why none can be started on this machine, to be read after "and"; null: it can. */
export function whyNoBrowser(): string | null {
  if (!existsSync(CHROMIUM)) return `there is no ${CHROMIUM} here`;
  const lacking = NEEDED.find(([program, options]) => spawnSync(program, options, { stdio: 'ignore' }).status !== 0);
  return lacking === undefined ? null : `\`${lacking.flat().join(' ')}\` does not work here`;
}
