import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { withLock } from './machine-lock.ts';
import { clusterPlaces } from './places.ts';

/** A hosts file in which `name` has this one address (or none). */
export function withHost(hosts: string, name: string, address: string | undefined): string {
  const others = hosts.split('\n').filter((line) => line !== '' && line.split(' ')[1] !== name);
  return [...others, ...(address === undefined ? [] : [`${address} ${name}`])].map((line) => `${line}\n`).join('');
}

/**
 * Gives a name of a fixture site an address in the cluster's DNS (undefined takes it away). CoreDNS reads the file
 * again every 2 s, and answers live for 5.
 */
export async function addHost(name: string, address: string | undefined): Promise<void> {
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name)) throw new Error(`"${name}" is not a valid lower-case DNS name.`);
  if (address !== undefined && isIP(address) === 0) throw new Error(`"${address}" is not a valid IP address.`);
  const { hosts } = clusterPlaces();
  await withLock('hosts', { doing: 'addHost', waitMs: 10_000 }, async () => {
    const now = existsSync(hosts) ? await readFile(hosts, 'utf8') : '';
    await writeFile(`${hosts}.new`, withHost(now, name, address));
    await rename(`${hosts}.new`, hosts);
  });
}
