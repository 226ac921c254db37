import { execFile } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';

/** Whether the browser can get its own network namespace on this machine, tested with the command that starts it. */
export async function namespaceAvailable(): Promise<boolean> {
  const args = ['-U', '-n', '--map-current-user', '--keep-caps', 'ip', 'link', 'set', 'lo', 'up'];
  const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;
  return promisify(execFile)('unshare', args, { env: { ...process.env, PATH } }).then(
    () => true,
    () => false,
  );
}

/** A free loopback port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}

/** Whether a loopback port is free. */
export function portIsFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, '127.0.0.1', () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
