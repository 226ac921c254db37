import type { Logger } from 'pino';
import type { ObjectStore } from '../../store/object-store.ts';
import type { Evidence } from '../contracts.ts';
import type { EvidenceCaps } from './caps.ts';

export interface EvidenceOptions {
  readonly dirs: {
    /** Our own volume; files are written to `data/` below it. */
    readonly evidence: string;
    /** Where the browser's ffmpeg writes `recording.mp4` and `ffmpeg.log`. */
    readonly recording: string;
    /** The harness's `/data`. */
    readonly harnessData: string;
  };
  /** A store of single tries (`openStore(…, {retrySeconds: 0})`): the uploader owns the retries. */
  readonly store: ObjectStore;
  /** Key prefix of the attempt: `<runPrefix>/a<attempt>/`, with trailing slash. */
  readonly prefix: string;
  /** The longest that written evidence stays in the Pod only. */
  readonly intervalMs: number;
  readonly caps?: Partial<EvidenceCaps>;
  /** Same as `addSecret` for each. */
  readonly secrets?: readonly string[];
  readonly log: Logger;
  /** Called for each failed upload that will be tried again (metric `clawbench_upload_retries_total`). */
  readonly onUploadRetry?: () => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Creates the files and starts the uploader. @throws when the evidence directory cannot be written. */
export async function openEvidence(options: EvidenceOptions): Promise<Evidence> {
  return Promise.reject(new Error(`not built yet: ${options.prefix}`));
}
