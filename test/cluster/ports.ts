import { createServer } from 'node:net';
import { tryRun } from './run-command.ts';

/** Ports of the host that the components listen on, besides those on the cluster's own bridge. */
const WANTED = [
  ['0.0.0.0', 16443],
  ['127.0.0.1', 23790],
  ['127.0.0.1', 23791],
  ['127.0.0.1', 15000],
  ['127.0.0.1', 10248],
  ['127.0.0.1', 10249],
  ['127.0.0.1', 10256],
  ['127.0.0.1', 10257],
  ['127.0.0.1', 10259],
] as const;

function isFree(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => {
      resolve(false);
    });
    server.listen({ host: address, port, exclusive: true }, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}

/** `users:(("kube-apiserver",pid=7,fd=5))` of `ss -ltnp` → `kube-apiserver (pid 7)`. */
export function holderIn(listing: string): string | undefined {
  const found = /\(\("([^"]+)",pid=(\d+)/.exec(listing);
  return found === null ? undefined : `${found[1]} (pid ${found[2]})`;
}

/**
 * Refuses to start beside a process that has one of the ports. Found out later it is worse than an error: that
 * process would answer our health checks, and a second API server was once seen to write into this etcd.
 */
export async function refuseTakenPorts(): Promise<void> {
  for (const [address, port] of WANTED) {
    if (await isFree(address, port)) continue;
    const holder = holderIn((await tryRun('ss', ['-ltnpH', `sport = :${port}`])) ?? '') ?? 'another process';
    throw new Error(`${holder} listens on port ${port}, which the cluster needs; end it, then try again.`);
  }
}
