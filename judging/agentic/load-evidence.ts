import { parseJson } from '../../benchmark/text/json.ts';
import {
  parseRows,
  sessionSteps,
  type SessionEvidence,
  type EvidenceRow,
} from '../../benchmark/judge/agentic/evidence.ts';
import { isTruthy } from '../../benchmark/text/python-equality.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { getJson, type StoredJson } from '../bundle/stored-json.ts';

/**
 * A layer is read up to this size, so an evaluator that pages through lists sees the beginning of every session. Parsed, it
 * takes several times as much memory, a session has three such layers, and the judge Job reads several sessions at a time.
 */
const LAYER_BYTES = 16 * 1024 * 1024;
/** Maximum number of rows of a layer: 16 MiB of `{}` would be five million objects. */
const LAYER_ROWS = 100_000;
/** A larger picture was not made by a browser, and no model accepts it. */
const PICTURE_BYTES = 16 * 1024 * 1024;

/** A session's evidence with access to its screenshots. */
export interface LoadedSession {
  readonly evidence: SessionEvidence;
  /** The PNG of a time stamp, or null. */
  screenshot(timestamp: number): Promise<Uint8Array | null>;
}

/** The files of a bundle, before any of them is read. */
export interface SessionFiles {
  readonly prefix: string;
  /** Time stamps, ascending. */
  readonly screenshots: readonly number[];
  readonly recordingBytes: number;
  /** Stored size of what {@link loadSession} keeps in memory. */
  readonly bytes: number;
}

/** Reads the layers of one bundle. A missing layer is empty: the verdict is about what was recorded. */
export async function loadSession(store: ObjectStore, files: SessionFiles, meta: StoredJson): Promise<LoadedSession> {
  const { prefix, screenshots, recordingBytes } = files;
  const rows = (name: (typeof LAYERS)[number]): Promise<EvidenceRow[]> => readRows(store, `${prefix}data/${name}`);
  const interception = await getJson(store, `${prefix}data/interception.json`);
  return {
    evidence: {
      steps: sessionSteps(await rows('actions.jsonl')),
      requests: await rows('requests.jsonl'),
      messages: await rows('agent-messages.jsonl'),
      screenshots,
      interception: isTruthy(interception?.['request']) ? interception : null,
      meta,
      recordingBytes,
    },
    screenshot: (timestamp) =>
      screenshots.includes(timestamp)
        ? store.get(`${prefix}data/screenshots/${String(timestamp)}.png`, PICTURE_BYTES)
        : Promise.resolve(null),
  };
}

async function readRows(store: ObjectStore, key: string): Promise<EvidenceRow[]> {
  const bytes = await store.get(key, LAYER_BYTES);
  if (bytes === null) return [];
  return parseRows(linesOf(bytes, LAYER_ROWS), (line) => {
    const parsed = parseJson(line);
    return parsed.ok ? parsed.value : null;
  });
}

/** The text of the first `most` lines. */
function linesOf(bytes: Uint8Array, most: number): string {
  let end = 0;
  for (let line = 0; line < most && end < bytes.length; line += 1) {
    const next = bytes.indexOf(0x0a, end);
    end = next === -1 ? bytes.length : next + 1;
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, end).toString('utf8');
}

const LAYERS = ['actions.jsonl', 'requests.jsonl', 'agent-messages.jsonl'] as const;

/** Lists a bundle's evidence. */
export async function listSession(store: ObjectStore, prefix: string): Promise<SessionFiles> {
  const screenshots: number[] = [];
  let [recordingBytes, bytes] = [0, 0];
  for await (const { key, size } of store.list(`${prefix}data/`)) {
    const picture = /\/screenshots\/(\d+)\.png$/.exec(key);
    if (picture !== null && size <= PICTURE_BYTES) screenshots.push(Number(picture[1]));
    else if (key.endsWith('/recording.mp4')) recordingBytes = size;
    else if (LAYERS.some((name) => key === `${prefix}data/${name}`)) bytes += Math.min(size, LAYER_BYTES);
  }
  return { prefix, screenshots: screenshots.sort((a, b) => a - b), recordingBytes, bytes };
}
