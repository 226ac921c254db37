import { PassThrough, type Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { ApiType } from '../../benchmark/models/models-file.ts';
import type { ReadAnswer } from '../../benchmark/models/call-outcome.ts';
import { createStreamOutcome } from '../../benchmark/models/stream-outcome.ts';
import { usageOfAnswer, type CallUsage } from '../../benchmark/usage/answer.ts';
import { createStreamUsage } from '../../benchmark/usage/stream.ts';

/** Reads usage and outcome from a provider's answer while it is relayed to the agent. */
export interface UsageTap {
  write(chunk: Uint8Array): void;
  /** Call when the answer ends, early or not. */
  end(): Promise<ReportedUsage>;
}
export interface ReportedUsage {
  readonly call: CallUsage | null;
  /** Characters of the answer, for an answer that reports no usage. */
  readonly characters: number;
  /** What was read, to tell whether the call succeeded; null: too large or too odd to tell. */
  readonly answer: ReadAnswer | null;
}

/** A larger JSON answer is relayed but not read. */
const MAX_JSON = 32 * 1024 * 1024;

const DECOMPRESS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** @param encoding `content-encoding` of the answer; providers compress although asked not to. */
export function usageTap(apiType: ApiType, isStream: boolean, encoding: string): UsageTap {
  const reader = isStream ? streamReader(apiType) : jsonReader(apiType);
  const decompress = decompressor(encoding.trim().toLowerCase());
  const decoder = new TextDecoder();
  decompress.on('data', (chunk: Buffer) => {
    reader.push(decoder.decode(chunk, { stream: true }));
  });
  const done = finished(decompress, { writable: false }).catch(() => undefined);
  return {
    write: (chunk) => {
      if (!decompress.destroyed) decompress.write(chunk);
    },
    end: async () => {
      if (!decompress.destroyed) decompress.end();
      await done;
      reader.push(decoder.decode());
      return reader.result();
    },
  };
}

function decompressor(encoding: string): Transform {
  const create = Object.hasOwn(DECOMPRESS, encoding) ? DECOMPRESS[encoding] : undefined;
  return create?.() ?? new PassThrough();
}

interface Reader {
  readonly push: (text: string) => void;
  result(): ReportedUsage;
}

function streamReader(apiType: ApiType): Reader {
  const outcome = createStreamOutcome(apiType, 200);
  const usage = createStreamUsage(apiType, (data, name) => {
    outcome.push(data, name);
  });
  return {
    push: (text) => {
      usage.push(text);
    },
    result: () => ({
      call: usage.found,
      characters: usage.answerCharacters,
      answer: usage.unreadable ? null : { stream: outcome.soFar },
    }),
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
    result: () => {
      if (characters > MAX_JSON) return { call: null, characters, answer: null };
      const json = parsed(text);
      return { call: usageOfAnswer(apiType, json), characters, answer: { json } };
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
