/**
 * Whether an answer is a proxy's question for a password (407). A site is no proxy, and the browser would ask a person
 * for this proxy's. Read as a browser reads: behind interim answers and up to four stray bytes, in any number of pieces.
 */
export type ChallengeReading = 'more' | 'passes' | 'proxy';

const STRAY_BYTES = 4;
const NAME = 'http';
const MAX_LINE = 256;
const ASKS = /^http\S* +0*407/i;
/** After 101 no other answer follows. */
const INTERIM = /^http\S* +0*1(?!01)\d\d/i;
const HEAD_END = /\n\r?\n/;

/** @returns a reader of one answer's first bytes; after anything but `more` it has nothing more to say. */
export function createChallengeDetector(): (chunk: Buffer) => ChallengeReading {
  let held = '';
  let inHead = false;
  return (chunk) => {
    held += chunk.toString('latin1');
    for (;;) {
      if (inHead) {
        const end = HEAD_END.exec(held);
        // Of the end of a head, two bytes may be here.
        held = end === null ? held.slice(-2) : held.slice(end.index + end[0].length);
        if (end === null) return 'more';
        inHead = false;
      }
      const line = statusLine(held);
      if (typeof line === 'string') return line;
      if (ASKS.test(line.text)) return 'proxy';
      if (!line.whole) return 'more';
      if (!INTERIM.test(line.text)) return 'passes';
      held = held.slice(line.end);
      inHead = true;
    }
  };
}

/** `end`: where the rest of its head begins, the line feed included. */
function statusLine(held: string): { text: string; whole: boolean; end: number } | 'more' | 'passes' {
  const from = held
    .slice(0, STRAY_BYTES + NAME.length)
    .toLowerCase()
    .indexOf(NAME);
  if (from === -1) return held.length < STRAY_BYTES + NAME.length ? 'more' : 'passes';
  const feed = held.indexOf('\n', from);
  const end = feed === -1 ? held.length : feed;
  return { text: held.slice(from, Math.min(end, from + MAX_LINE)), whole: feed !== -1 || end - from >= MAX_LINE, end };
}
