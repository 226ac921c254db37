import { PassThrough, type Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { ApiType } from '../../benchmark/models/models-file.ts';
import { usageOfAnswer, type CallUsage } from '../../benchmark/usage/answer.ts';
import { createStreamUsage } from '../../benchmark/usage/stream.ts';

/** Reads a provider's answer beside its way to the agent. */
export interface UsageTap {
  write(chunk: Uint8Array): void;
  /** At the answer's end, also an early one. */
  end(): Promise<TapResult>;
}
export interface TapResult {
  readonly call: CallUsage | null;
  /** Characters of the answer: for answers that tell no usage. */
  readonly characters: number;
}

/** A whole JSON answer above this is passed on and not read. */
const MAX_JSON = 32 * 1024 * 1024;

const UNPACK: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** @param encoding `content-encoding` of the answer; providers pack although asked not to. */
export function usageTap(apiType: ApiType, contentType: string, encoding: string): UsageTap {
  const reader = contentType.includes('text/event-stream') ? streamReader(apiType) : jsonReader(apiType);
  const unpack = (UNPACK[encoding.trim().toLowerCase()] ?? (() => new PassThrough()))();
  const decoder = new TextDecoder();
  unpack.on('data', (chunk: Buffer) => {
    reader.push(decoder.decode(chunk, { stream: true }));
  });
  const done = finished(unpack, { writable: false }).catch(() => undefined);
  return {
    write: (chunk) => {
      if (!unpack.destroyed) unpack.write(chunk);
    },
    end: async () => {
      if (!unpack.destroyed) unpack.end();
      await done;
      reader.push(decoder.decode());
      return reader.result();
    },
  };
}

interface Reader {
  readonly push: (text: string) => void;
  result(): TapResult;
}

function streamReader(apiType: ApiType): Reader {
  const usage = createStreamUsage(apiType);
  return {
    push: (text) => {
      usage.push(text);
    },
    result: () => ({ call: usage.found, characters: usage.answerCharacters }),
  };
}

function jsonReader(apiType: ApiType): Reader {
  let text = '';
  let characters = 0;
  return {
    push: (more) => {
      characters += more.length;
      if (characters <= MAX_JSON) text += more;
    },
    result: () => ({ call: characters <= MAX_JSON ? usageOfAnswer(apiType, parsed(text)) : null, characters }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
