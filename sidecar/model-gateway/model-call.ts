import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { Redactor } from '../../benchmark/bundle/redact.ts';
import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import type { GatewayCaps } from '../../benchmark/protocol/model-gateway.ts';
import { isLocalProgram } from '../local-caller.ts';
import { readCappedBody } from '../read-capped-body.ts';
import type { CallFiles } from './call-files.ts';
import { endpointOf, modelInPath, type ProviderEndpoint } from './endpoint.ts';
import type { KeyRing } from './keys.ts';
import type { Ledger } from './ledger.ts';
import { outgoingBody, outgoingQuery, type OutgoingBody } from './outgoing-request.ts';
import { refuse } from './refuse.ts';

/** What every call of one gateway shares. */
export interface GatewayParts {
  readonly model: ModelEntry;
  readonly caps: GatewayCaps;
  readonly keys: KeyRing;
  readonly ledger: Ledger;
  readonly files: CallFiles;
  readonly dispatcher: Dispatcher;
  /** What the provider was found to refuse; remembered for the run. */
  readonly refused: { usageOption: boolean };
  /** Removes keys from a provider's error text. */
  readonly redact: Redactor;
  readonly log: Logger;
  readonly now: () => number;
}

/** One request of the harness that may go to the provider. */
export interface ModelCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: string;
  readonly path: string;
  readonly endpoint: ProviderEndpoint;
  readonly body: OutgoingBody;
  readonly started: number;
  /** Aborted when the client hangs up. */
  readonly gone: AbortController;
}

/** Screenshots in a prompt are megabytes; nothing an agent sends is a hundred. */
const MAX_BODY = 96 * 1024 * 1024;

/** Reads a request of the harness; null: it was refused, and the refusal is sent and counted. */
export async function readModelCall(
  parts: GatewayParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<ModelCall | null> {
  const base = new URL(parts.model.baseUrl);
  const [path = '/', search = ''] = (request.url ?? '/').split('?', 2);
  const endpoint = endpointOf(request.method ?? 'GET', path, base.pathname.replace(/\/+$/, ''));
  const refused = (reason: 'EndpointNotAllowed' | 'BodyTooLarge', message: string): null => {
    parts.ledger.refused(reason);
    refuse(response, reason, message);
    return null;
  };
  if (endpoint === null || !isLocalProgram(request.headers))
    return refused('EndpointNotAllowed', 'only model calls from programs are forwarded');
  const bytes = await readCappedBody(request, MAX_BODY);
  if (bytes === null) return refused('BodyTooLarge', 'the request is larger than 96 MiB');
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const url = `${base.origin}${path}${outgoingQuery(search)}`;
  const outgoing = outgoingBody(bytes, endpoint.billed, !parts.refused.usageOption);
  const body = { ...outgoing, model: modelInPath(path) ?? outgoing.model };
  return { request, response, url, path, endpoint, body, started: parts.now(), gone };
}
