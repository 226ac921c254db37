/**
 * Detects a response that asks for a proxy's password (407). An origin server is not a proxy, and the browser would prompt
 * for this proxy's password. Reads as a browser does: after interim responses and up to four stray bytes, in any number
 * of pieces.
 */
export type ChallengeReading = 'more' | 'not-challenge' | 'challenge';

const STRAY_BYTES = 4;
const NAME = 'http';
const MAX_LINE = 256;
const CHALLENGE = /^http\S* +0*407/i;
/** After 101 no other response follows. */
const INTERIM = /^http\S* +0*1(?!01)\d\d/i;
const HEADERS_END = /\n\r?\n/;

/** @returns a reader of one response's first bytes, which is done once it returns anything but `more`. */
export function createChallengeDetector(): (chunk: Buffer) => ChallengeReading {
  let held = '';
  let inHeaders = false;
  return (chunk) => {
    held += chunk.toString('latin1');
    for (;;) {
      if (inHeaders) {
        const end = HEADERS_END.exec(held);
        // Two bytes of the end of the header section may have arrived.
        held = end === null ? held.slice(-2) : held.slice(end.index + end[0].length);
        if (end === null) return 'more';
        inHeaders = false;
      }
      const line = statusLine(held);
      if (typeof line === 'string') return line;
      if (CHALLENGE.test(line.text)) return 'challenge';
      if (!line.whole) return 'more';
      if (!INTERIM.test(line.text)) return 'not-challenge';
      held = held.slice(line.end);
      inHeaders = true;
    }
  };
}

/** `end`: where the header section begins, at the line feed. */
function statusLine(held: string): { text: string; whole: boolean; end: number } | 'more' | 'not-challenge' {
  const from = held
    .slice(0, STRAY_BYTES + NAME.length)
    .toLowerCase()
    .indexOf(NAME);
  if (from === -1) return held.length < STRAY_BYTES + NAME.length ? 'more' : 'not-challenge';
  const feed = held.indexOf('\n', from);
  const end = feed === -1 ? held.length : feed;
  return { text: held.slice(from, Math.min(end, from + MAX_LINE)), whole: feed !== -1 || end - from >= MAX_LINE, end };
}
