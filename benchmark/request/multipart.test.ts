import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formDataFields, MAX_PARTS, parseMultipart } from './multipart.ts';
import type { JsonObject } from '../text/json.ts';
import { sha256Hex } from '../text/sha256.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const part = (head: string, content: string): string =>
  `--B\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;

/** The fields of a form, and what is missing of it. */
function readForm(body: Uint8Array, boundary: string | null): { fields: JsonObject; overflow?: string } | null {
  const read = parseMultipart(body, boundary);
  if (read === null) return null;
  const fields = formDataFields(read.parts);
  return read.overflow === undefined ? { fields } : { fields, overflow: read.overflow };
}

describe('parseMultipart', () => {
  it('gives texts, files and repeated names', () => {
    const body = bytes(
      part('name="a"', '1') +
        part('name="a"', '2') +
        part('name="note"', 'two\r\nlines') +
        part('name="file"; filename="x.txt"\r\nContent-Type: text/plain', 'hello') +
        '--B--\r\n',
    );
    expect(readForm(body, 'B')).toEqual({
      fields: {
        a: ['1', '2'],
        note: 'two\r\nlines',
        file: { filename: 'x.txt', content_type: 'text/plain', size: 5, sha256: sha256Hex('hello') },
      },
    });
  });
  it('finds the boundary itself, and takes bare line feeds', () => {
    expect(readForm(bytes('--B\nContent-Disposition: form-data; name=a\n\n1\n--B--\n'), null)?.fields).toEqual({
      a: '1',
    });
  });
  it('undoes the escapes of names', () => {
    const body = bytes(part('name="a%22b%0D%0A"', '1') + '--B--');
    expect(readForm(body, 'B')?.fields).toEqual({ 'a"b\r\n': '1' });
  });
  it('is no multipart without a delimiter', () => {
    expect(readForm(bytes('a=1'), null)).toBeNull();
    expect(readForm(bytes('a=1'), 'B')).toBeNull();
  });
  it('says when it is not whole', () => {
    expect(readForm(bytes(part('name="a"', '1') + '--B\r\nContent-Disp'), 'B')).toMatchObject({
      fields: { a: '1' },
      overflow: expect.stringContaining('closing') as string,
    });
    const many = part('name="a"', '1').repeat(MAX_PARTS + 5);
    expect(readForm(bytes(many), 'B')?.overflow).toContain('more than');
  });
  it('reads what the platform writes', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(text, text, fc.uint8Array({ maxLength: 200 }), async (name, value, content) => {
        const form = new FormData();
        form.append(`t${name}`, value);
        form.append('f', new Blob([content], { type: 'image/png' }), 'a b.png');
        const request = new Request('http://x.test/', { method: 'POST', body: form });
        const boundary = /boundary=(.*)$/.exec(request.headers.get('content-type') ?? '')?.[1] ?? '';
        const parsed = readForm(new Uint8Array(await request.arrayBuffer()), boundary);
        const normal = (raw: string): string => raw.replace(/\r\n|\r|\n/g, '\r\n');
        expect(parsed?.fields[normal(`t${name}`)]).toBe(normal(value));
        expect(parsed?.fields['f']).toEqual({
          filename: 'a b.png',
          content_type: 'image/png',
          size: content.length,
          sha256: sha256Hex(content),
        });
        expect(parsed?.overflow).toBeUndefined();
      }),
    );
  });
});
