import WebSocket, { type RawData } from 'ws';
import type { Logger } from 'pino';
import type { PhaseState } from '../phase.ts';
import { filterCommand, readCommand, type DevtoolsCommand } from './command-filter.ts';

/**
 * One agent connection, joined to one connection to Chromium. Commands are read, judged and written anew; what comes
 * back is passed on as it is.
 */
export interface RelayClientOptions {
  readonly client: WebSocket;
  readonly cdpSocket: string;
  /** `/devtools/browser/<id>` or `/devtools/page/<id>`. */
  readonly path: string;
  readonly phase: PhaseState;
  readonly log: Logger;
}

/** Screenshots and traces are large; this is Chromium's own order of magnitude. */
export const MAX_FRAME_BYTES = 256 * 1024 * 1024;
/** Above this the browser's side waits until the client has read. */
const HIGH_WATER_BYTES = 32 * 1024 * 1024;
const UNSUPPORTED_DATA = 1003;

export function relayClient(options: RelayClientOptions): void {
  const { client } = options;
  const browser = new WebSocket(`ws+unix://${options.cdpSocket}:${options.path}`, {
    headers: { host: 'localhost' },
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    skipUTF8Validation: true,
  });
  const early: string[] = [];
  const toBrowser = (text: string): void => {
    if (browser.readyState === WebSocket.OPEN) browser.send(text);
    else early.push(text);
  };

  client.on('message', (data, isBinary) => {
    if (isBinary) return client.close(UNSUPPORTED_DATA, 'text frames only');
    take(options, textOf(data), toBrowser);
  });
  browser.on('open', () => early.splice(0).forEach((text) => browser.send(text)));
  browser.on('message', (data) => {
    client.send(data, { binary: false }, () => {
      if (browser.isPaused && client.bufferedAmount < HIGH_WATER_BYTES) browser.resume();
    });
    if (client.bufferedAmount > HIGH_WATER_BYTES) browser.pause();
  });
  client.on('close', () => browser.terminate());
  browser.on('close', () => client.close());
  client.on('error', () => browser.terminate());
  browser.on('error', (error) => {
    options.log.debug({ err: error }, 'the browser ended a DevTools connection');
    client.terminate();
  });
}

function take(options: RelayClientOptions, text: string, toBrowser: (text: string) => void): void {
  const { client } = options;
  const command = readCommand(text);
  if (command === null) {
    client.send(
      JSON.stringify({
        error: { code: -32600, message: 'Message must be a command: an object with integer id and string method' },
      }),
    );
    return;
  }
  if (options.phase.current !== 'armed')
    return fail(client, command, 'the run has ended: the browser takes no more commands');
  const verdict = filterCommand(command);
  if (verdict.kind === 'forward') return toBrowser(JSON.stringify(verdict.command));
  if (verdict.kind === 'refuse') {
    options.log.info({ method: command.method }, 'a DevTools command was refused');
    return fail(client, command, verdict.message);
  }
  client.send(reply(command, { result: {} }));
  if (verdict.close) client.close();
}

function fail(client: WebSocket, command: DevtoolsCommand, message: string): void {
  client.send(reply(command, { error: { code: -32000, message } }));
}

function reply(command: DevtoolsCommand, content: Record<string, unknown>): string {
  const session = command.sessionId === undefined ? {} : { sessionId: command.sessionId };
  return JSON.stringify({ id: command.id, ...content, ...session });
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.from(data as Buffer).toString('utf8');
}
