import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Starts to listen.
 * @param port 0: any free one.
 * @returns the port. @throws the error of the socket, such as EADDRINUSE.
 */
export function listenOn(server: Server, port: number, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/**
 * Stops to listen and waits for the connections to end.
 * @param graceMs how long a request in progress may take before its connection is cut.
 */
export function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeIdleConnections();
    if (graceMs === 0) return server.closeAllConnections();
    setTimeout(() => {
      server.closeAllConnections();
    }, graceMs).unref();
  });
}
