import PostalMime from 'postal-mime';
import { htmlText, unescapeHtml } from './html-text.ts';
import type { StoredMail } from './mailboxes.ts';

const MAX_TEXT = 100_000;
const MAX_SUBJECT = 1000;
const MAX_FROM = 320;
const MAX_LINKS = 50;
const MAX_LINK = 4096;
/** The parser keeps each line apart, at 20 µs: a mebibyte of line ends would hold everybody up. Base64 of one has 14,000. */
const MAX_LINES = 20_000;

/** A raw message as text and links. HTML is never shown: a mail is written by whoever, and read by an agent. */
export async function readMail(raw: Uint8Array, at: number): Promise<Omit<StoredMail, 'id'>> {
  const mail = await PostalMime.parse(firstLines(raw));
  const html = mail.html ?? '';
  const text = mail.text ?? htmlText(html.slice(0, 4 * MAX_TEXT));
  return {
    at,
    from: first(mail.from?.address ?? mail.from?.name ?? '', MAX_FROM),
    subject: first(mail.subject ?? '(no subject)', MAX_SUBJECT),
    text: first(text, MAX_TEXT),
    links: linksOf(html, text),
  };
}

function firstLines(raw: Uint8Array): Uint8Array {
  let end = 0;
  for (let line = 0; line < MAX_LINES; line += 1) {
    end = raw.indexOf(0x0a, end) + 1;
    if (end === 0) return raw;
  }
  return raw.subarray(0, end);
}

/** The beginning, copied: a slice of a large string keeps the large one in memory. */
function first(text: string, most: number): string {
  return Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le');
}

/** Where buttons lead comes before what stands in the text. */
function linksOf(html: string, text: string): readonly string[] {
  const links = new Set<string>();
  for (const link of allLinks(html, text)) {
    if (links.size >= MAX_LINKS) break;
    if (link.length <= MAX_LINK && /^https?:\/\//i.test(link) && URL.canParse(link)) links.add(first(link, MAX_LINK));
  }
  return [...links];
}

function* allLinks(html: string, text: string): Generator<string> {
  for (const found of html.matchAll(/href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)) {
    yield unescapeHtml(found[1] ?? found[2] ?? '');
  }
  for (const [link] of text.matchAll(/https?:\/\/[^\s<>"')\]]+/g)) yield link;
}
