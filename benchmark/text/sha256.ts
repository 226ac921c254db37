import { createHash } from 'node:crypto';

/** SHA-256 in lower-case hex; strings as UTF-8. */
export function sha256Hex(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}
