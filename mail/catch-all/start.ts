import type { Server as NetServer } from 'node:net';
import { createMailboxes } from './mailboxes.ts';
import { smtpServer } from './smtp.ts';
import { webServer } from './web.ts';

export interface CatchAllOptions {
  readonly domain: string;
  readonly adminToken: string;
  /** 0 for any free port. */
  readonly smtpPort: number;
  readonly webPort: number;
  readonly host: string;
}
export interface CatchAll {
  readonly smtpPort: number;
  readonly webPort: number;
  close(): Promise<void>;
}

/** Starts the mail server: SMTP and a web inbox for the same mailboxes. @throws when one cannot listen */
export async function startCatchAll(options: CatchAllOptions): Promise<CatchAll> {
  const mailboxes = createMailboxes(Date.now);
  const smtp = smtpServer(mailboxes, options.domain, Date.now);
  const web = webServer(mailboxes, options.adminToken);
  await listening(smtp, options.smtpPort, options.host);
  // Further errors are clients that disconnected, which must not end the server.
  smtp.on('error', () => undefined);
  await listening(web, options.webPort, options.host).catch(async (error: unknown) => {
    await new Promise<void>((resolve) => smtp.close(() => resolve()));
    throw error;
  });
  return {
    smtpPort: portOf(smtp.server),
    webPort: portOf(web),
    close: async () => {
      web.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => web.close(() => resolve())),
        new Promise<void>((resolve) => smtp.close(() => resolve())),
      ]);
    },
  };
}

interface Listener {
  once(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  listen(port: number, host: string, listener: () => void): unknown;
}

function listening(server: Listener, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: NetServer): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
