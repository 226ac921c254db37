import PostalMime from 'postal-mime';
import type { StoredMail } from './mailboxes.ts';

const MAX_TEXT = 100_000;
const MAX_LINKS = 50;

/** A raw message as text and links. HTML is never shown: a mail is written by whoever, and read by an agent. */
export async function readMail(raw: Uint8Array, at: number): Promise<Omit<StoredMail, 'id'>> {
  const mail = await PostalMime.parse(raw);
  const html = mail.html ?? '';
  const text = mail.text ?? textOf(html);
  return {
    at,
    from: mail.from?.address ?? mail.from?.name ?? '',
    subject: mail.subject ?? '(no subject)',
    text: text.slice(0, MAX_TEXT),
    links: linksOf(html, text),
  };
}

function textOf(html: string): string {
  return unescape(
    html
      .slice(0, 4 * MAX_TEXT)
      .replace(/<(style|script|head)\b[^>]*>[\s\S]*?<\/\1>/gi, ' ')
      .replace(/<(?:br|\/p|\/div|\/tr|\/h\d|\/li)\b[^>]*>/gi, '\n')
      .replace(/<[^>]*>/g, ' '),
  )
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}

/** Where buttons lead comes before what stands in the text. */
function linksOf(html: string, text: string): readonly string[] {
  const hrefs = [...html.matchAll(/href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map((found) =>
    unescape(found[1] ?? found[2] ?? ''),
  );
  const plain = text.match(/https?:\/\/[^\s<>"')\]]+/g) ?? [];
  const all = [...hrefs, ...plain].filter((link) => /^https?:\/\//i.test(link) && URL.canParse(link));
  return [...new Set(all)].slice(0, MAX_LINKS);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function unescape(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, (all, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? all;
    const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
