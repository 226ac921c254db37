import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type MemoryStore, memoryStore } from '../../store/memory.fixture.ts';
import type { EvidenceWriter, FinaliseInput, ObservedRequest } from '../contracts.ts';
import { type EvidenceOptions, openEvidence } from './open.ts';

export const ATTEMPT_PREFIX = 'm1/batch-b--h--m1/m1/run/a1/';

/** The evidence of one attempt, over temporary directories and a store in memory. Tests only. */
export interface EvidenceSession {
  readonly evidence: EvidenceWriter;
  readonly store: MemoryStore;
  readonly dirs: EvidenceOptions['dirs'];
  readonly finalise: (signal?: AbortSignal) => ReturnType<EvidenceWriter['finalise']>;
  readonly end: () => Promise<void>;
}

export async function openEvidenceSession(change: Partial<EvidenceOptions> = {}): Promise<EvidenceSession> {
  const root = await mkdtemp(join(tmpdir(), 'evidence-'));
  const dirs = {
    evidence: join(root, 'e'),
    recording: join(root, 'r'),
    harnessData: join(root, 'h'),
    modelCalls: join(root, 'm'),
  };
  for (const dir of Object.values(dirs)) await mkdir(dir);
  const store = memoryStore();
  const log = pino({ level: 'silent' });
  const evidence = await openEvidence({ dirs, store, prefix: ATTEMPT_PREFIX, intervalMs: 40, log, ...change });
  const input = (signal: AbortSignal): FinaliseInput => ({
    meta: (facts) => ({ intercepted: false, actions: facts.actions }),
    manifest: { browserVersion: 'Chromium/1' },
    signal,
  });
  return {
    evidence,
    store,
    dirs,
    finalise: (signal = AbortSignal.timeout(5000)) => evidence.finalise(input(signal)),
    end: async () => {
      await evidence.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export function aRequest(change: Partial<ObservedRequest> = {}): ObservedRequest {
  return {
    at: 1_700_000_000_123,
    url: 'https://shop.test/cart?item=1',
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    resourceType: 'Fetch',
    frameId: 'F1',
    body: Buffer.from('{"qty":2}'),
    bodyStatus: 'complete',
    ...change,
  };
}

/** The text of an object below the attempt's prefix, null when there is none. */
export function storedText(store: MemoryStore, path: string): string | null {
  const bytes = store.objects.get(ATTEMPT_PREFIX + path);
  return bytes ? Buffer.from(bytes).toString() : null;
}

/** The live chunks of a file, joined as the judge Job joins them. */
export function joinedLiveChunks(store: MemoryStore, name: string): string {
  const keys = [...store.objects.keys()].filter((key) => key.startsWith(`${ATTEMPT_PREFIX}live/${name}/`)).sort();
  return Buffer.concat(keys.map((key) => store.objects.get(key) ?? Buffer.alloc(0))).toString();
}
