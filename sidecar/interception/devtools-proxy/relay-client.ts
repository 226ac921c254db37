import WebSocket, { type RawData } from 'ws';
import type { Logger } from 'pino';
import type { PhaseState } from '../phase.ts';
import { filterCommand, readCommand, type DevToolsCommand } from './command-filter.ts';

/**
 * Relays one agent connection to one connection to Chromium. Commands are read, filtered and serialized again; what comes
 * back is forwarded unchanged.
 */
export interface RelayClientOptions {
  readonly client: WebSocket;
  readonly cdpSocket: string;
  /** `/devtools/browser/<id>` or `/devtools/page/<id>`. */
  readonly path: string;
  readonly phase: PhaseState;
  readonly log: Logger;
}

/** Screenshots and traces are large; Chromium's own limit has this order of magnitude. */
export const MAX_FRAME_BYTES = 256 * 1024 * 1024;
/** Above this, reading from the browser pauses until the client has read. */
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
  const unsent: string[] = [];
  const toBrowser = (text: string): void => {
    if (browser.readyState === WebSocket.OPEN) browser.send(text);
    else unsent.push(text);
  };

  client.on('message', (data, isBinary) => {
    if (isBinary) return client.close(UNSUPPORTED_DATA, 'text frames only');
    handleMessage(options, textOf(data), toBrowser);
  });
  browser.on('open', () => unsent.splice(0).forEach((text) => browser.send(text)));
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

function handleMessage(options: RelayClientOptions, text: string, toBrowser: (text: string) => void): void {
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
    return fail(client, command, 'the run has ended; the browser takes no more commands');
  const decision = filterCommand(command);
  if (decision.kind === 'forward') return toBrowser(JSON.stringify(decision.command));
  if (decision.kind === 'refuse') {
    options.log.info({ method: command.method }, 'a DevTools command was refused');
    return fail(client, command, decision.message);
  }
  client.send(reply(command, { result: {} }));
  if (decision.close) client.close();
}

function fail(client: WebSocket, command: DevToolsCommand, message: string): void {
  client.send(reply(command, { error: { code: -32000, message } }));
}

function reply(command: DevToolsCommand, content: Record<string, unknown>): string {
  const session = command.sessionId === undefined ? {} : { sessionId: command.sessionId };
  return JSON.stringify({ id: command.id, ...content, ...session });
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.from(data as Buffer).toString('utf8');
}
