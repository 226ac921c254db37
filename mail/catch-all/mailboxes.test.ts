import { describe, expect, it } from 'vitest';
import { createMailboxes, type StoredMail } from './mailboxes.ts';

const mail = (subject: string, characters = 0): Omit<StoredMail, 'id'> => ({
  at: 0,
  from: 'a@b.test',
  subject,
  text: 'x'.repeat(characters),
  links: [],
});
const subjects = (boxes: ReturnType<typeof createMailboxes>, address: string): string[] =>
  (boxes.open(address, 'password') ?? []).map(({ subject }) => subject);

describe('the memory of mailboxes', () => {
  it('is limited for each: the oldest mail is dropped', () => {
    const boxes = createMailboxes(() => 0);
    boxes.put('a@mail.test', 'password');
    for (let i = 0; i < 100; i += 1) boxes.deliver('a@mail.test', mail(String(i), 100_000));
    const kept = subjects(boxes, 'a@mail.test');
    expect(kept[0]).toBe('99');
    expect(kept.length).toBeLessThanOrEqual(20);
    expect(kept.length).toBeGreaterThan(10);
  });
  it('is limited for all: the largest mailbox loses mail first, and the others keep theirs', () => {
    const boxes = createMailboxes(() => 0);
    boxes.put('quiet@mail.test', 'password');
    boxes.deliver('quiet@mail.test', mail('sign-up', 1000));
    for (let box = 0; box < 300; box += 1) {
      boxes.put(`loud${String(box)}@mail.test`, 'password');
      for (let i = 0; i < 20; i += 1) boxes.deliver(`loud${String(box)}@mail.test`, mail(String(i), 100_000));
    }
    expect(boxes.bytes()).toBeLessThanOrEqual(256 * 1024 * 1024);
    expect(subjects(boxes, 'quiet@mail.test')).toEqual(['sign-up']);
    expect(subjects(boxes, 'loud299@mail.test')[0]).toBe('19');
  });
  it('is freed when a mailbox is emptied, removed or expires', () => {
    let now = 0;
    const boxes = createMailboxes(() => now);
    for (const name of ['a', 'b', 'c']) {
      boxes.put(`${name}@mail.test`, 'password');
      boxes.deliver(`${name}@mail.test`, mail('m', 1000));
    }
    const all = boxes.bytes();
    boxes.put('a@mail.test', 'password');
    expect(boxes.bytes()).toBeCloseTo((all * 2) / 3);
    boxes.remove('b@mail.test');
    boxes.remove('b@mail.test');
    expect(boxes.bytes()).toBeCloseTo(all / 3);
    now = 49 * 3600 * 1000;
    boxes.put('d@mail.test', 'password');
    expect(boxes.bytes()).toBe(0);
  });
  it('is limited to 200 mails for each', () => {
    const boxes = createMailboxes(() => 0);
    boxes.put('a@mail.test', 'password');
    for (let i = 0; i < 250; i += 1) boxes.deliver('a@mail.test', mail(String(i)));
    expect(subjects(boxes, 'a@mail.test')).toHaveLength(200);
  });
});
