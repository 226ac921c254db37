import type { Server as NetServer } from 'node:net';
import { createMailboxes } from './mailboxes.ts';
import { smtpServer } from './smtp.ts';
import { webServer } from './web.ts';

export interface CatchAllOptions {
  readonly domain: string;
  readonly adminToken: string;
  /** 0: any free one. */
  readonly smtpPort: number;
  readonly webPort: number;
  readonly host: string;
}
export interface CatchAll {
  readonly smtpPort: number;
  readonly webPort: number;
  close(): Promise<void>;
}

/** Starts the small mail server: SMTP and web inbox over the same mailboxes. */
export async function startCatchAll(options: CatchAllOptions): Promise<CatchAll> {
  const mailboxes = createMailboxes(Date.now);
  const smtp = smtpServer(mailboxes, options.domain, Date.now);
  // A client that hangs up in the middle is no reason to end.
  smtp.on('error', () => undefined);
  const web = webServer(mailboxes, options.adminToken);
  await new Promise<void>((resolve) => smtp.listen(options.smtpPort, options.host, () => resolve()));
  await new Promise<void>((resolve, reject) => {
    web.once('error', reject);
    web.listen(options.webPort, options.host, resolve);
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

function portOf(server: NetServer): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
