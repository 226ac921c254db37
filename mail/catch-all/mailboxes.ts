import { createHash, timingSafeEqual } from 'node:crypto';

/** A mail as the inbox shows it. */
export interface StoredMail {
  readonly id: number;
  readonly at: number;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  /** http and https addresses in it, in order. */
  readonly links: readonly string[];
}

/**
 * The mailboxes, in memory only: nothing is left of them when the server ends. A mailbox that nobody removed goes after
 * two days. Mail for an address that has none is refused. What is too much pushes out the oldest of the mailbox that
 * holds the most: a site that floods must not fill the server that others use, nor cost them their mail.
 */
export interface Mailboxes {
  /** Makes or empties a mailbox. @returns false when there are too many. */
  put(address: string, password: string): boolean;
  remove(address: string): boolean;
  /** The mailbox that mail for an address goes to (`name+tag` is `name`); null: none. */
  owner(address: string): string | null;
  deliver(address: string, mail: Omit<StoredMail, 'id'>): void;
  /** Memory that all mails together take, about. */
  bytes(): number;
  /** Newest first; null when address or password is wrong. */
  open(address: string, password: string): readonly StoredMail[] | null;
}

const MAX_BOXES = 10_000;
const MAX_MAILS = 200;
/** Of one mailbox, and of all: far above what sign-ups write, far below what the Pod has. */
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

/** Strings have two bytes a character; the rest is what objects cost. */
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
