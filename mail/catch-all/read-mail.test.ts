import { describe, expect, it } from 'vitest';
import { readMail } from './read-mail.ts';

const html = (body: string): Buffer =>
  Buffer.from(`From: a@b.test\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${body}`);
const textOf = async (body: string): Promise<string> => (await readMail(html(body), 0)).text;

describe('an HTML mail as text', () => {
  it.each([
    ['<p>One</p><p>Two &amp; three</p>', 'One\nTwo & three'],
    ['a<br>b<BR/>c', 'a\nb\nc'],
    ['<table><tr><td>x</td><td>y</td></tr><tr><td>z</td></tr></table>', 'x y\nz'],
    ['<html><head><title>T</title></head><body>B</body></html>', 'B'],
    ['<STYLE type="text/css">p{}</STYLE >x<script>y()</script>z', 'x z'],
    ['before<style>p{} with no end', 'before'],
    ['1 < 2 and no tag', '1 < 2 and no tag'],
    ['a <!-- <b>not shown</b> --> c', 'a c'],
    ['<header>stays</header>', 'stays'],
    ['<a title="1 > 0" href="https://x.test/">go</a>', 'go'],
  ])('%s', async (body, text) => {
    expect(await textOf(body)).toBe(text);
  });
});

it.each([
  '<',
  '<style>',
  '<script',
  '<br',
  '<br ',
  '</p',
  '<!--',
  '<a href=',
  '<a href="',
  "<a href='",
  'href ',
  'href=\t',
  '&#x',
  '&',
  '\n ',
  ' ',
  'http://',
  '<p a="',
  '<td>',
])('a hostile mail costs linear time: %j over and over', async (part) => {
  const started = Date.now();
  for (const type of ['text/html', 'text/plain']) {
    const mail = `From: a@b.test\r\nContent-Type: ${type}\r\n\r\n${part.repeat(1_000_000 / part.length)}`;
    await readMail(Buffer.from(mail), 0);
  }
  expect(Date.now() - started).toBeLessThan(4000);
});

it('limits every part of a mail', async () => {
  const long = 'x'.repeat(900_000);
  const mail = await readMail(
    Buffer.from(
      `From: ${long}@b.test\r\nSubject: ${long}\r\nContent-Type: text/html\r\n\r\n<a href="https://x.test/${long}">${long}`,
    ),
    0,
  );
  expect(mail.text.length).toBeLessThanOrEqual(100_000);
  expect(mail.subject.length).toBeLessThanOrEqual(1000);
  expect(mail.from.length).toBeLessThanOrEqual(320);
  expect(mail.links.every((link) => link.length <= 4096)).toBe(true);
});
