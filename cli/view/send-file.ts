import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { readByteRange } from './byte-range.ts';

/** Files that are sent with their own type. All others are plain text: HTML or SVG of a bundle must not run in this origin. */
const TYPES: Readonly<Record<string, string>> = { png: 'image/png', mp4: 'video/mp4' };

/** The content type that a file of a bundle is sent with. */
export function bundleFileType(path: string): string {
  const end = /\.([a-z0-9]+)$/.exec(path)?.[1] ?? '';
  return Object.hasOwn(TYPES, end) ? (TYPES[end] ?? '') : 'text/plain; charset=utf-8';
}

/** Streams a file or the requested range, and closes it. */
export async function sendFile(
  file: FileHandle,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const { size } = await file.stat();
    const range = readByteRange(request.headers.range, size);
    response.setHeader('accept-ranges', 'bytes');
    response.setHeader('content-type', bundleFileType(path));
    response.setHeader('content-security-policy', "default-src 'none'; sandbox");
    if (range === 'unsatisfiable') {
      response.writeHead(416, { 'content-range': `bytes */${size}`, 'content-type': 'text/plain' }).end();
      return;
    }
    const { start, end } = range === 'whole' ? { start: 0, end: size - 1 } : range;
    response.setHeader('content-length', Math.max(0, end - start + 1));
    if (range === 'whole') response.writeHead(200);
    else response.writeHead(206, { 'content-range': `bytes ${start}-${end}/${size}` });
    if (size === 0) response.end();
    else await pipeline(file.createReadStream({ start, end, autoClose: false }), response);
  } finally {
    await file.close();
  }
}
