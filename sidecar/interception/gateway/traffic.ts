import type { Socket } from 'node:net';

/** Every socket of the gateway, so that one call closes them all, and the bytes that went through the outbound ones. */
export interface Traffic {
  /** Tracks a connection of the browser. */
  inbound(socket: Socket): void;
  /** Tracks a connection to an origin server, and counts its bytes for this host. */
  outbound(socket: Socket, host: string): void;
  /** Closes every socket at once, without flushing. */
  destroyAll(): void;
  totals(): { readonly bytesOut: number; readonly bytesIn: number; readonly hosts: Readonly<Record<string, number>> };
}

/** A page can request any number of hosts; those above the limit are counted together. */
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
    inbound: track,
    outbound: (socket, host) => {
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
