import type { PausedHead } from './message-head.ts';

/** What `decideHead` needs of a pause, and its id. */
export type PauseStart = Pick<PausedHead, 'requestId' | 'url' | 'method'>;

const START = '{"method":"Fetch.requestPaused","params":{"requestId":"';
const URL_START = '","request":{"url":"';
const METHOD_START = '","method":"';
const HEADERS_START = '","headers":{';
/** Messages with longer URLs take the slower path. */
const SCANNED_BYTES = 2048;
/** Printable ASCII without the backslash: nothing that JSON would have to unescape. */
const PLAIN = /^[ -[\]-~]*$/;

/**
 * Reads the first three fields of a paused request when they are plain: one string, three searches. Nearly every request
 * of a page is like that, and each is held until this returns. Anything else gives null and is read with all of JSON's
 * rules by `message-head.ts`.
 */
export function readPauseStart(message: Buffer): PauseStart | null {
  const text = message.toString('latin1', 0, SCANNED_BYTES);
  if (!text.startsWith(START)) return null;
  const idEnd = text.indexOf('"', START.length);
  const url = idEnd + URL_START.length;
  if (idEnd === -1 || !text.startsWith(URL_START, idEnd)) return null;
  const urlEnd = text.indexOf('"', url);
  const method = urlEnd + METHOD_START.length;
  if (urlEnd === -1 || !text.startsWith(METHOD_START, urlEnd)) return null;
  const methodEnd = text.indexOf('"', method);
  if (methodEnd === -1 || !text.startsWith(HEADERS_START, methodEnd)) return null;
  if (!PLAIN.test(text.slice(START.length, methodEnd))) return null;
  return {
    requestId: text.slice(START.length, idEnd),
    url: text.slice(url, urlEnd),
    method: text.slice(method, methodEnd),
  };
}
