import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { KubeClient } from './client.ts';
import { systemClock } from './clock.ts';
import { ApiError } from './errors.ts';
import { CONFIG_MAPS } from './kinds.ts';
import { resource } from './resource.ts';
import { WatchBroken, watchEvents } from './watch.ts';

/** Reads a watch whose body arrives in exactly these chunks. */
async function read(...chunks: (string | Uint8Array)[]): Promise<string[]> {
  const body = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  const client = { stream: () => Promise.resolve(body) } as unknown as KubeClient;
  const limits = { signal: new AbortController().signal, staleAfterMs: 5_000, connectMs: 1_000, clock: systemClock };
  const told: string[] = [];
  const events = watchEvents(resource(client, CONFIG_MAPS), { resourceVersion: '1', timeoutSeconds: 1 }, limits);
  for await (const { type, object } of events) told.push(`${type} ${object.metadata.name}`);
  return told;
}
const line = (type: string, name: string): string =>
  `${JSON.stringify({ type, object: { metadata: { name, resourceVersion: '7' } } })}\n`;

describe('the lines of a watch', () => {
  it('may arrive several in a chunk or in pieces, even cut inside a character', async () => {
    const bytes = Buffer.from(line('ADDED', 'straße-日本') + '\n' + line('DELETED', 'b'));
    const pieces = Array.from({ length: bytes.length }, (_, index) => bytes.subarray(index, index + 1));
    expect(await read(bytes)).toEqual(['ADDED straße-日本', 'DELETED b']);
    expect(await read(...pieces)).toEqual(['ADDED straße-日本', 'DELETED b']);
  });
  it.each([
    ['that end in the middle', ['{"type":"ADDED","obj'], 'ended in the middle'],
    ['that are no JSON', ['<html>\n'], 'invalid JSON'],
    ['that are JSON but no event', ['[1]\n', 'null\n'], 'invalid event'],
    ['of an unknown type', [line('RENAMED', 'a')], 'invalid event'],
    ['without an object', ['{"type":"ADDED"}\n'], 'invalid event'],
    ['without an end', Array.from({ length: 33 }, () => 'x'.repeat(1024 * 1024)), 'a line of more than'],
  ])('%s are refused', async (_name, chunks, message) => {
    const failure = await read(...chunks).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WatchBroken);
    expect((failure as Error).message).toContain(message);
  });
  it('report an error of the server as ApiError', async () => {
    const error = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' } };
    const failure = await read(`${JSON.stringify(error)}\n`).catch((reason: unknown) => reason);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 410, reason: 'Expired' });
  });
});
