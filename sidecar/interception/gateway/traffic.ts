import type { Socket } from 'node:net';

/** Every socket of the gateway, so that one call ends them all, and the bytes that went through those to the outside. */
export interface Traffic {
  /** A connection of the browser. */
  client(socket: Socket): void;
  /** A connection to the outside, counted for this host. */
  upstream(socket: Socket, host: string): void;
  /** Ends everything at once: no flush, no farewell. */
  destroyAll(): void;
  totals(): { readonly bytesOut: number; readonly bytesIn: number; readonly hosts: Readonly<Record<string, number>> };
}

/** A page can ask for endless hosts; the rest is counted together. */
const MAX_HOSTS = 2_000;
const OTHER_HOSTS = '(other)';

export function createTraffic(): Traffic {
  const sockets = new Set<Socket>();
  const live = new Map<Socket, string>();
  const closed = { bytesOut: 0, bytesIn: 0 };
  const hosts = new Map<string, number>();

  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  };

  const countHost = (into: Map<string, number>, host: string, bytes: number): void => {
    const name = into.has(host) || into.size < MAX_HOSTS ? host : OTHER_HOSTS;
    into.set(name, (into.get(name) ?? 0) + bytes);
  };

  return {
    client: track,
    upstream: (socket, host) => {
      track(socket);
      live.set(socket, host);
      socket.once('close', () => {
        live.delete(socket);
        closed.bytesOut += socket.bytesWritten;
        closed.bytesIn += socket.bytesRead;
        countHost(hosts, host, socket.bytesWritten + socket.bytesRead);
      });
    },
    destroyAll: () => {
      for (const socket of sockets) socket.destroy();
    },
    totals: () => {
      const all = new Map(hosts);
      let { bytesOut, bytesIn } = closed;
      for (const [socket, host] of live) {
        bytesOut += socket.bytesWritten;
        bytesIn += socket.bytesRead;
        countHost(all, host, socket.bytesWritten + socket.bytesRead);
      }
      return { bytesOut, bytesIn, hosts: Object.fromEntries(all) };
    },
  };
}
