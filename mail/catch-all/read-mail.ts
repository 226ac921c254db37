import PostalMime from 'postal-mime';
import { htmlText, unescapeHtml } from './html-text.ts';
import type { StoredMail } from './mailboxes.ts';

const MAX_TEXT = 100_000;
const MAX_SUBJECT = 1000;
const MAX_FROM = 320;
const MAX_LINKS = 50;
const MAX_LINK = 4096;
/** The parser takes 20 µs per line, so 1 MiB of line ends would block the server. 1 MiB of Base64 has 14,000 lines. */
const MAX_LINES = 20_000;

/** A raw message as text and links. HTML is never shown, since anyone may have written the mail, and an agent reads it. */
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

/** A copy of the beginning, since a slice keeps the whole string in memory. */
function first(text: string, most: number): string {
  return Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le');
}

/** The targets of buttons come before URLs in the text. */
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
