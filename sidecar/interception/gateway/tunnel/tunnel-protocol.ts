import { parseClientHello } from './client-hello.ts';

/**
 * Detects what a tunnel carries from its first bytes. A browser opens one for TLS or for a plain WebSocket; anything else
 * (TURN over TCP, raw sockets) is traffic that the guard has not seen, and is cut.
 */
export type TunnelProtocol =
  | { readonly kind: 'more' }
  | { readonly kind: 'other' }
  | { readonly kind: 'tls'; readonly alpn: readonly string[] }
  /** A WebSocket handshake in plain text; its URL is checked elsewhere. */
  | { readonly kind: 'websocket' };

const TLS_HANDSHAKE = 0x16;
const MAX_HEAD = 64 * 1024;

export function detectTunnelProtocol(bytes: Buffer): TunnelProtocol {
  if (bytes.length === 0) return { kind: 'more' };
  return bytes[0] === TLS_HANDSHAKE ? tls(bytes) : http(bytes);
}

function tls(bytes: Buffer): TunnelProtocol {
  const hello = parseClientHello(bytes);
  if (hello.kind !== 'hello') return hello;
  // Chromium's HTTP and WebSocket stacks always offer ALPN; TURN over TLS does not.
  return hello.alpn.length === 0 ? { kind: 'other' } : { kind: 'tls', alpn: hello.alpn };
}

function http(bytes: Buffer): TunnelProtocol {
  const text = bytes.toString('latin1');
  const start = 'GET ';
  if (!text.startsWith(start.slice(0, text.length))) return { kind: 'other' };
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return text.length > MAX_HEAD ? { kind: 'other' } : { kind: 'more' };
  const get = /^GET \S+ HTTP\/1\.1\r\n/.test(text);
  const upgrade = /\r\nupgrade:[ \t]*websocket[ \t]*\r\n/i.test(text.slice(0, end + 2));
  return { kind: get && upgrade ? 'websocket' : 'other' };
}
