import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/**
 * The socket that Chromium's `--remote-debugging-pipe` is joined to. One connection for the life of a run: a browser
 * that comes a second time was restarted, with no request of its first life accounted for, so it is never served.
 */
export async function listenPipe(
  path: string,
  on: { readonly connected: (socket: Socket) => void; readonly again: () => void },
): Promise<Server> {
  await rm(path, { force: true });
  let taken = false;
  const server = createServer((socket) => {
    if (taken) {
      socket.destroy();
      on.again();
      return;
    }
    taken = true;
    on.connected(socket);
  });
  server.listen(path);
  await once(server, 'listening');
  return server;
}
