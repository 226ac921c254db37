import { Transform } from 'node:stream';
import { isObject } from '../../benchmark/text/json.ts';

/**
 * Removes from a chat stream the one chunk that is there only because the gateway asked for it: a usage, no choices.
 * Clients that did not ask for it read `choices[0]` and would fail. Events pass as soon as they are complete.
 */
export function withoutUsageChunk(): Transform {
  let waiting = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      waiting = Buffer.concat([waiting, chunk]);
      const end = lastEventEnd(waiting);
      if (end > 0) {
        const whole = waiting.subarray(0, end);
        waiting = waiting.subarray(end);
        this.push(whole.includes('"usage"') ? filtered(whole) : whole);
      }
      done();
    },
    flush(done) {
      if (waiting.length > 0) this.push(waiting);
      done();
    },
  });
}

/** Offset after the last blank line; 0 when no event is complete. */
function lastEventEnd(bytes: Buffer): number {
  const unix = bytes.lastIndexOf('\n\n');
  const dos = bytes.lastIndexOf('\r\n\r\n');
  return Math.max(unix === -1 ? 0 : unix + 2, dos === -1 ? 0 : dos + 4);
}

function filtered(whole: Buffer): Buffer {
  const events = whole.toString('utf8').split(/(?<=\r?\n\r?\n)/);
  return Buffer.from(events.filter((event) => !isUsageChunk(event)).join(''), 'utf8');
}

function isUsageChunk(event: string): boolean {
  const data = /^data: ?(\{.*\})\s*$/s.exec(event)?.[1];
  if (data === undefined) return false;
  try {
    const value = JSON.parse(data) as unknown;
    return (
      isObject(value) && isObject(value['usage']) && Array.isArray(value['choices']) && value['choices'].length === 0
    );
  } catch {
    return false;
  }
}
