import { connect, isIP, Socket, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { isLoopbackAddress, isPublicAddress } from '../policy/address-policy.ts';
import { createReadBuffer } from './read-buffer.ts';
import { resolveWithRetry } from './resolve-with-retry.ts';
import type { OutboundOptions, TlsChoice } from '../policy/egress-policy.ts';
import type { Destination } from '../policy/route.ts';

const resolve = resolveWithRetry();

/** The address of this destination must not be reached. */
export class AddressRefused extends Error {
  constructor(destination: Destination) {
    super(`${destination.host}:${destination.port} is a private address; add it to network.allow to reach it`);
    this.name = 'AddressRefused';
  }
}

const CONNECT_TIMEOUT_MS = 30_000;

/**
 * Opens a connection to an origin server. Names are resolved here, once, and the connection goes to an address that was
 * checked: DNS rebinding, where a name resolves to a public address first and a private one later, gains nothing.
 * @returns a socket that is connecting. A refused address is its `error` event ({@link AddressRefused}), like any other
 * failure.
 */
export function openOutboundSocket(options: OutboundOptions): Socket {
  const permitted = (address: string): boolean =>
    options.allowPrivate
      ? !(options.ownPorts.has(options.port) && isLoopbackAddress(address))
      : isPublicAddress(address);
  const refused = new AddressRefused(options);
  // Node calls no lookup for an IP literal, so a literal is checked here.
  if (isIP(options.host) !== 0 && !permitted(options.host)) return failed(refused);
  const to = {
    host: options.host,
    port: options.port,
    lookup: checkedLookup(permitted, refused),
    autoSelectFamily: true,
  };
  const socket = options.tls === undefined ? connectPlain(to) : connectTls({ ...to, ...tlsOptions(options.tls) });
  const timer = setTimeout(
    () => socket.destroy(new Error(`no connection within ${CONNECT_TIMEOUT_MS} ms`)),
    CONNECT_TIMEOUT_MS,
  );
  socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  return socket;
}

function connectPlain(to: TcpNetConnectOpts): Socket {
  const buffer = createReadBuffer();
  return buffer.serve(connect({ ...to, noDelay: true, onread: buffer.onread }));
}

function tlsOptions({ serverName, verified, protocols = ['http/1.1'] }: TlsChoice): ConnectionOptions {
  const name = isIP(serverName) === 0 ? { servername: serverName } : {};
  return { rejectUnauthorized: verified, ALPNProtocols: protocols, ...name };
}

function checkedLookup(permitted: (address: string) => boolean, refused: AddressRefused): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const addresses = (found ?? []).filter(({ address }) => permitted(address));
      const [first] = addresses;
      if (error !== null || first === undefined) callback(error ?? refused, '', 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function failed(error: Error): Socket {
  return new Socket().destroy(error);
}
