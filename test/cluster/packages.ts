import { run, tryRun } from './run-command.ts';
import { step } from './progress.ts';
import { withLock } from './machine-lock.ts';

/** Debian packages that the cluster and the image builds stand on; versions are those of Debian 12. */
const DEBIAN_PACKAGES = [
  'buildah',
  'ca-certificates',
  'containerd',
  'containernetworking-plugins',
  'docker-registry',
  'gcc',
  'iproute2',
  'iptables',
  'libc6-dev',
  'mmdebstrap',
  'nftables',
  'openssl',
  'runc',
] as const;

/** Which of the wanted packages `dpkg-query -W -f '${Package} ${db:Status-Status}\n'` doesn't list as installed. */
export function missingPackages(wanted: readonly string[], listing: string): string[] {
  const installed = new Set(
    listing
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([, status]) => status === 'installed')
      .map(([name]) => name),
  );
  return wanted.filter((name) => !installed.has(name));
}

/**
 * Installs the Debian packages that are missing, and says so.
 * @throws when this is not a Debian-like machine, or apt can't reach its archive.
 */
export async function ensurePackages(): Promise<void> {
  const listing = await tryRun('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\n']);
  if (listing === undefined) {
    throw new Error(
      `The embedded cluster installs its parts with apt and this machine has no dpkg. Install ${DEBIAN_PACKAGES.join(' ')} yourself on Debian 12, or use a cluster of your own: --context NAME.`,
    );
  }
  const missing = missingPackages(DEBIAN_PACKAGES, listing);
  if (missing.length === 0) return;
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
  await withLock('apt', { doing: 'apt-get install', waitMs: 600_000 }, () =>
    step(`installing Debian packages: ${missing.join(' ')}`, async () => {
      // A source that can't be reached does not matter if the packages install without it.
      await tryRun('apt-get', ['-qq', 'update'], { env: quiet, limitMs: 300_000 });
      const args = ['-qq', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', 'install', ...missing];
      await run('apt-get', args, { env: quiet, limitMs: 900_000 });
    }),
  );
}
