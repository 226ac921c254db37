import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { stringifyJson } from '../../benchmark/text/json.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import type { EvidenceWriter, EvidenceFacts, FinaliseInput, FinaliseResult } from '../contracts.ts';
import { DEFAULT_CAPS, type EvidenceCaps } from './size-caps.ts';
import { collect, type Collected } from './collect.ts';
import { openRecorderFiles } from './recorder-files.ts';
import { byteSource, rowSource, transcriptSource } from './live-source.ts';
import { type LiveUpload, startLiveUpload } from './live-upload.ts';
import { openBundleNotes } from './bundle-notes.ts';
import { type ClosedBundle, uploadBundle } from './upload-bundle.ts';
import { openSecrets } from './secrets.ts';

export interface EvidenceOptions {
  readonly dirs: {
    /** The recorder's own volume; files are written to `data/` below it. */
    readonly evidence: string;
    /** Where the browser's ffmpeg writes `recording.mp4` and `ffmpeg.log`. */
    readonly recording: string;
    /** The harness's `/data`. */
    readonly harnessData: string;
    /** The model gateway's volume, if there is one. */
    readonly modelCalls?: string;
  };
  /** A store without retries (`openStore(…, {retrySeconds: 0})`): the uploader retries. */
  readonly store: ObjectStore;
  /** Key prefix of the attempt: see `attemptPrefix`; with trailing slash. */
  readonly prefix: string;
  /** The longest time that written evidence is stored only in the Pod. */
  readonly intervalMs: number;
  /** Whether a missing `recording.mp4` counts as missing; true by default. */
  readonly recordingRequired?: boolean;
  readonly caps?: Partial<EvidenceCaps>;
  /** Same as `addSecret` for each. */
  readonly secrets?: readonly string[];
  readonly log: Logger;
  /** Called for each failed upload that will be tried again (metric `clawbench_upload_retries_total`). */
  readonly onUploadRetry?: () => void;
  /** The disk refused a write (reason `DiskFull`). Called once. */
  readonly onDiskError?: (error: Error) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Creates the files and starts the uploader. @throws when the evidence directory cannot be written. */
export async function openEvidence(options: EvidenceOptions): Promise<EvidenceWriter> {
  const { dirs, log } = options;
  const caps = { ...DEFAULT_CAPS, ...options.caps };
  const data = join(dirs.evidence, 'data');
  await mkdir(data, { recursive: true });
  const secrets = openSecrets(options.secrets ?? []);
  const notes = openBundleNotes((note) => log.warn({ note }, 'evidence is incomplete'));
  const onDiskError = once(options.onDiskError ?? ((): void => undefined));
  const onRetry = options.onUploadRetry ?? ((): void => undefined);
  const files = await openRecorderFiles({ data, caps, secrets, notes, onDiskError });
  const live = startLiveUpload({
    store: options.store,
    prefix: options.prefix,
    intervalMs: options.intervalMs,
    sources: [
      rowSource({ name: 'actions.jsonl', path: join(data, 'actions.jsonl'), cap: caps.actions }),
      rowSource({ name: 'requests.jsonl', path: join(data, 'requests.jsonl'), cap: caps.requests }),
      transcriptSource(
        { name: 'agent-messages.jsonl', path: join(dirs.harnessData, 'agent-messages.jsonl'), cap: caps.messages },
        secrets,
      ),
      byteSource({ name: 'recording.mp4', path: join(dirs.recording, 'recording.mp4'), cap: caps.recording }),
    ],
    wholeFiles: files.whole,
    settle: files.drained,
    log,
    onRetry,
  });
  const gather = lazy(async (): Promise<Collected> => {
    await live.stop();
    await files.close();
    const { recordingRequired = true } = options;
    const { screenshots } = files;
    const places = { data, recordingDir: dirs.recording, harnessData: dirs.harnessData, modelCalls: dirs.modelCalls };
    return collect({ ...places, caps, secrets, notes, recordingRequired, screenshots });
  });
  const assemble = lazy(async (input: FinaliseInput): Promise<{ bundle: ClosedBundle; facts: EvidenceFacts }> => {
    const collected = await gather(undefined);
    const facts = { ...collected.facts, notes: notes.all() };
    const meta = secrets.redact(`${stringifyJson(input.meta(facts), 2)}\n`);
    const created = new Date((options.now ?? Date.now)()).toISOString();
    return { facts, bundle: { files: collected.files, notes: facts.notes, extra: input.manifest, meta, created } };
  });
  return {
    action: files.action,
    request: files.request,
    screenshot: files.screenshot,
    interception: (content) => {
      const first = files.interception(content);
      if (first) live.uploadNow();
      return first;
    },
    get counts() {
      return files.counts;
    },
    addSecret: secrets.add,
    redact: secrets.redact,
    finalise: async (input) => {
      const { bundle, facts } = await assemble(input);
      const target = { store: options.store, prefix: options.prefix, stored: live.stored, onRetry };
      try {
        const manifestSha256 = await uploadBundle(bundle, target, input.signal);
        return { evidence: 'Complete', manifestSha256, facts };
      } catch (error) {
        return failedResult(error as Error, live, facts);
      }
    },
    flush: live.flush,
    close: async () => {
      await live.stop();
      await files.close();
    },
  };
}

function failedResult(error: Error, live: LiveUpload, facts: EvidenceFacts): FinaliseResult {
  const problem = `Evidence could not be stored: ${error.message}`;
  const evidence = live.hasUploaded || live.stored.size > 0 ? 'Partial' : 'None';
  return { evidence, manifestSha256: null, facts: { ...facts, notes: [...facts.notes, problem] }, problem };
}

function once(report: (error: Error) => void): (error: Error) => void {
  let reported = false;
  return (error) => {
    if (reported) return;
    reported = true;
    report(error);
  };
}

/** Returns the first call's result to all later calls, unless it failed. */
function lazy<A, T>(work: (argument: A) => Promise<T>): (argument: A) => Promise<T> {
  let result: Promise<T> | null = null;
  return (argument) => {
    result ??= work(argument).catch((error: unknown) => {
      result = null;
      throw error;
    });
    return result;
  };
}
