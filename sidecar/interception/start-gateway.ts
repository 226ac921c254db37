import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RUN_FILES } from '../../benchmark/protocol/pod-paths.ts';
import type { InterceptionOptions } from '../contracts.ts';
import type { EventEmitter } from './emit-events.ts';
import type { GatewayContext } from './gateway/context.ts';
import { listenGateway, type Gateway } from './gateway/listen.ts';
import { createCertificateAuthority } from './gateway/tunnel/certificates.ts';

/** What the gateway shares with the other parts of interception. */
export interface EgressGatewayParts extends Omit<GatewayContext, 'authority' | 'emit' | 'log'> {
  readonly events: Pick<EventEmitter, 'emit' | 'lose'>;
}

/**
 * Starts the gateway: makes the run's certificate authority, writes its hash for the browser's start script, and takes
 * the listener that the browser's side lends.
 * @throws when it cannot listen.
 */
export async function startGateway(options: InterceptionOptions, parts: EgressGatewayParts): Promise<Gateway> {
  const { runDir, log, listenerProgram, proxyPort } = options;
  const { events, ...shared } = parts;
  const authority = await createCertificateAuthority();
  await writeFile(join(runDir, RUN_FILES.caSpki), authority.spki);
  return listenGateway(
    { ...shared, authority, emit: events.emit, log },
    {
      lender: {
        program: listenerProgram,
        socket: join(runDir, RUN_FILES.listenerSocket),
        lost: (message) => events.lose('InternalError', message),
      },
      ...(proxyPort === undefined ? {} : { proxyPort }),
    },
  );
}
