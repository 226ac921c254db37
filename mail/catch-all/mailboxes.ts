import { createHash, timingSafeEqual } from 'node:crypto';

/** A mail in the inbox. */
export interface StoredMail {
  readonly id: number;
  readonly at: number;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  /** http and https URLs in the mail, in order. */
  readonly links: readonly string[];
}

/**
 * The mailboxes, in memory only, so that nothing remains when the server ends. A mailbox expires after two days. Mail for
 * an unknown address is refused. When memory is full, the oldest mail of the largest mailbox is dropped, so that a site
 * that sends too much does not cost other mailboxes their mail.
 */
export interface Mailboxes {
  /** Creates or empties a mailbox. @returns false if there are too many */
  put(address: string, password: string): boolean;
  remove(address: string): boolean;
  /** The mailbox of an address (`name+tag` is `name`); null if there is none. */
  owner(address: string): string | null;
  deliver(address: string, mail: Omit<StoredMail, 'id'>): void;
  /** Approximate memory of all mails. */
  bytes(): number;
  /** The mails, newest first; null if address or password is wrong. */
  open(address: string, password: string): readonly StoredMail[] | null;
}

const MAX_BOXES = 10_000;
const MAX_MAILS = 200;
/** Limits of one mailbox and of all: far more than sign-ups need, and far less than the memory of the Pod. */
const MAX_BOX_BYTES = 4 * 1024 * 1024;
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_AGE_MS = 48 * 3600 * 1000;

interface Box {
  readonly password: Buffer;
  readonly madeAt: number;
  /** Newest first. */
  readonly mails: StoredMail[];
  sequence: number;
  bytes: number;
}

/** Strings have two bytes per character; the constants are the overhead of objects. */
function sizeOf(mail: StoredMail): number {
  const texts = [mail.from, mail.subject, mail.text, ...mail.links];
  return texts.reduce((sum, text) => sum + 2 * text.length + 64, 256);
}

function dropOldest(box: Box): void {
  const mail = box.mails.pop();
  if (mail !== undefined) box.bytes -= sizeOf(mail);
}

export function createMailboxes(now: () => number): Mailboxes {
  const boxes = new Map<string, Box>();
  const expire = (): void => {
    for (const [address, box] of boxes) if (now() - box.madeAt > MAX_AGE_MS) boxes.delete(address);
  };
  const owner = (address: string): string | null => {
    const [name = '', host = ''] = address.toLowerCase().split('@');
    const plain = `${name.split('+')[0] ?? ''}@${host}`;
    return boxes.has(plain) ? plain : null;
  };
  const bytes = (): number => [...boxes.values()].reduce((sum, box) => sum + box.bytes, 0);
  return {
    bytes,
    put: (address, password) => {
      expire();
      const key = address.toLowerCase();
      if (!boxes.has(key) && boxes.size >= MAX_BOXES) return false;
      boxes.set(key, { password: digest(password), madeAt: now(), mails: [], sequence: 0, bytes: 0 });
      return true;
    },
    remove: (address) => boxes.delete(address.toLowerCase()),
    owner,
    deliver: (address, mail) => {
      const box = boxes.get(owner(address) ?? '');
      if (box === undefined) return;
      box.sequence += 1;
      const stored = { ...mail, id: box.sequence };
      box.mails.unshift(stored);
      box.bytes += sizeOf(stored);
      while (box.mails.length > MAX_MAILS || box.bytes > MAX_BOX_BYTES) dropOldest(box);
      while (bytes() > MAX_BYTES) dropOldest(fullest(boxes));
    },
    open: (address, password) => {
      const box = boxes.get(address.trim().toLowerCase());
      return box !== undefined && timingSafeEqual(box.password, digest(password)) ? box.mails : null;
    },
  };
}

function fullest(boxes: ReadonlyMap<string, Box>): Box {
  return [...boxes.values()].reduce((most, box) => (box.bytes > most.bytes ? box : most));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
