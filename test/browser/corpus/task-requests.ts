import { gzipSync } from 'node:zlib';
import { examplesOf } from './example-url.ts';

/** The requests that are sent for one task. Bodies are bytes, so that what arrives can be compared exactly. */
export interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly why: string;
}

export interface EvalSchema {
  readonly url_pattern: string;
  readonly method: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

interface Body {
  readonly why: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Requests that are the task's target, one for each way to write its body. */
export function matching(schema: EvalSchema): Sent[] {
  const { match } = examplesOf(schema.url_pattern);
  return bodiesOf({ ...schema.body, note: 'café & co' }, schema.body !== undefined).map((body) =>
    sent(schema.method, match, body),
  );
}

/** Requests that miss it by one detail each: path, host, method, body. */
export function missing(schema: EvalSchema): Sent[] {
  const { match, misses } = examplesOf(schema.url_pattern);
  const [plain] = bodiesOf({ ...schema.body, note: 'café & co' }, false) as [Body];
  const elsewhere = misses.map((url) => sent(schema.method, url, { ...plain, why: 'another URL' }));
  const otherMethod = sent(schema.method === 'POST' ? 'PUT' : 'POST', match, { ...plain, why: 'another method' });
  return [...elsewhere, otherMethod, ...otherBodies(schema, match)];
}

function otherBodies(schema: EvalSchema, url: string): Sent[] {
  if (schema.body === undefined) return [];
  const wrong = Object.fromEntries(Object.keys(schema.body).map((name) => [name, 'something else']));
  const bodies = [...bodiesOf(wrong, true), ...bodiesOf({ note: 'no such field' }, true)];
  return [
    ...bodies.map((body) => sent(schema.method, url, { ...body, why: `another body, ${body.why}` })),
    { url, method: schema.method, headers: {}, body: null, why: 'no body' },
  ];
}

function sent(method: string, url: string, body: Body): Sent {
  return { url, method, headers: body.headers, body: body.bytes, why: body.why };
}

/** Only JSON distinguishes numbers from text. */
function bodiesOf(fields: Readonly<Record<string, unknown>>, everyWay: boolean): Body[] {
  const json = Buffer.from(JSON.stringify(fields));
  const bodies: Body[] = [{ why: 'JSON', headers: { 'content-type': 'application/json' }, bytes: json }];
  if (!everyWay) return bodies;
  bodies.push(
    { why: 'JSON as text', headers: { 'content-type': 'text/plain' }, bytes: json },
    { why: 'gzip', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, bytes: gzipSync(json) },
    {
      why: 'a batch',
      headers: { 'content-type': 'application/json' },
      bytes: Buffer.from(JSON.stringify([{ other: 1 }, fields])),
    },
  );
  if (!Object.values(fields).every((value) => typeof value === 'string')) return bodies;
  const pairs = Object.entries(fields) as [string, string][];
  const parts = pairs.map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  bodies.push(
    {
      why: 'a form',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      bytes: Buffer.from(new URLSearchParams(pairs).toString()),
    },
    {
      why: 'multipart',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      bytes: Buffer.from(`${parts.join('')}--b--\r\n`),
    },
  );
  return bodies;
}
