/**
 * Parses the first message of TLS as far as the gateway needs it: which protocols the client offers (ALPN) and for which
 * name (SNI). Chromium offers only `http/1.1` when it opens a WebSocket and `h2,http/1.1` for everything else; nothing
 * else distinguishes the two from outside.
 */
export type ClientHello =
  | { readonly kind: 'more' }
  | { readonly kind: 'other' }
  | { readonly kind: 'hello'; readonly alpn: readonly string[]; readonly serverName: string };

const HANDSHAKE = 0x16;
const CLIENT_HELLO = 1;
const EXT_SERVER_NAME = 0;
const EXT_ALPN = 16;
/** A ClientHello with post-quantum keys has 1.8 KB; none needs more than this. */
const MAX_HELLO = 64 * 1024;

/** Reads a ClientHello from the first bytes of a connection, whatever records it is split into. */
export function parseClientHello(bytes: Buffer): ClientHello {
  const message = handshakeBytes(bytes);
  if (message === null || (message.length > 0 && message[0] !== CLIENT_HELLO)) return { kind: 'other' };
  if (message.length < 4) return { kind: 'more' };
  const length = message.readUIntBE(1, 3);
  if (length > MAX_HELLO) return { kind: 'other' };
  if (message.length < 4 + length) return { kind: 'more' };
  try {
    return readHello(message.subarray(4, 4 + length));
  } catch {
    return { kind: 'other' };
  }
}

/** Joins the contents of the records; null when the bytes are not TLS records. */
function handshakeBytes(bytes: Buffer): Buffer | null {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] !== HANDSHAKE || (at + 1 < bytes.length && bytes[at + 1] !== 3))
      return parts.length > 0 ? Buffer.concat(parts) : null;
    if (at + 5 > bytes.length) break;
    const length = bytes.readUInt16BE(at + 3);
    parts.push(bytes.subarray(at + 5, at + 5 + length));
    at += 5 + length;
  }
  return Buffer.concat(parts);
}

function readHello(body: Buffer): ClientHello {
  let at = 2 + 32;
  at += 1 + body.readUInt8(at);
  at += 2 + body.readUInt16BE(at);
  at += 1 + body.readUInt8(at);
  const end = at === body.length ? at : at + 2 + body.readUInt16BE(at);
  at += 2;
  let alpn: string[] = [];
  let serverName = '';
  while (at + 4 <= end) {
    const type = body.readUInt16BE(at);
    const length = body.readUInt16BE(at + 2);
    const content = body.subarray(at + 4, at + 4 + length);
    if (content.length < length) return { kind: 'other' };
    if (type === EXT_ALPN) alpn = readProtocols(content);
    if (type === EXT_SERVER_NAME && length > 5)
      serverName = content.subarray(5, 5 + content.readUInt16BE(3)).toString('latin1');
    at += 4 + length;
  }
  return { kind: 'hello', alpn, serverName };
}

function readProtocols(content: Buffer): string[] {
  const names: string[] = [];
  for (let at = 2; at < content.length;) {
    const length = content.readUInt8(at);
    names.push(content.subarray(at + 1, at + 1 + length).toString('latin1'));
    at += 1 + length;
  }
  return names;
}
