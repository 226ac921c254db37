import { join } from 'node:path';
import { stringifyJson } from '../../benchmark/text/json.ts';
import { requestLogRow } from '../../benchmark/bundle/request-row.ts';
import type { EvidenceWriter, ObservedRequest } from '../contracts.ts';
import type { EvidenceCaps } from './size-caps.ts';
import { openInterceptionFile } from './interception-file.ts';
import type { WholeFile } from './live-upload.ts';
import type { BundleNotes } from './bundle-notes.ts';
import { openRowWriter } from './row-writer.ts';
import { openScreenshotWriter } from './screenshot-writer.ts';
import type { Secrets } from './secrets.ts';

export interface RecorderFilesOptions {
  /** `data/` of the evidence volume. */
  readonly data: string;
  readonly caps: EvidenceCaps;
  readonly secrets: Secrets;
  readonly notes: BundleNotes;
  readonly onDiskError: (error: Error) => void;
}

/** The files that the recorder itself writes during the run. */
export interface RecorderFiles extends Pick<
  EvidenceWriter,
  'action' | 'request' | 'screenshot' | 'interception' | 'counts'
> {
  /** Files that are complete and can be uploaded as they are. */
  readonly whole: () => readonly WholeFile[];
  /** File names of the screenshots. */
  readonly screenshots: readonly string[];
  /** Resolves when everything passed in before is on disk. */
  readonly drained: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Rows waiting for the disk. Requests hold bodies of up to 16 MiB; four of them may wait. */
const ACTION_QUEUE = 4 * 1024 * 1024;
const REQUEST_QUEUE = 64 * 1024 * 1024;

export async function openRecorderFiles(options: RecorderFilesOptions): Promise<RecorderFiles> {
  const { data, caps, secrets, notes, onDiskError } = options;
  const actions = await openRowWriter<string>({
    path: join(data, 'actions.jsonl'),
    name: 'actions.jsonl',
    cap: caps.actions,
    queueBytes: ACTION_QUEUE,
    sizeOf: (line) => line.length,
    render: secrets.redact,
    onNote: notes.add,
    onDiskError,
  });
  const requests = await openRowWriter<ObservedRequest>({
    path: join(data, 'requests.jsonl'),
    name: 'requests.jsonl',
    cap: caps.requests,
    queueBytes: REQUEST_QUEUE,
    sizeOf: requestSize,
    shrink: withoutBody,
    render: (request) => secrets.redact(stringifyJson(requestLogRow(request))),
    onNote: notes.add,
    onDiskError,
  });
  const screenshots = await openScreenshotWriter({
    dir: join(data, 'screenshots'),
    cap: caps.screenshots,
    onNote: notes.add,
    onDiskError,
  });
  const interceptionPath = join(data, 'interception.json');
  const interception = openInterceptionFile(interceptionPath, secrets, onDiskError);
  const drained = async (): Promise<void> => {
    await Promise.all([actions.drained(), requests.drained(), screenshots.drained()]);
    interception.retryWrite();
  };
  return {
    action: (row) => {
      actions.push(stringifyJson(row));
    },
    request: requests.push,
    screenshot: screenshots.push,
    interception: interception.write,
    get counts() {
      return {
        actions: actions.rows,
        requests: requests.rows,
        screenshots: screenshots.names.length,
        bytes: actions.bytes + requests.bytes + screenshots.bytes,
      };
    },
    whole: () => [
      ...(interception.written ? [{ path: 'data/interception.json', source: interceptionPath }] : []),
      ...screenshots.names.map((name) => ({
        path: `data/screenshots/${name}`,
        source: join(data, 'screenshots', name),
      })),
    ],
    screenshots: screenshots.names,
    drained,
    close: async () => {
      await Promise.all([actions.close(), requests.close(), screenshots.drained()]);
      interception.retryWrite();
    },
  };
}

function requestSize(request: ObservedRequest): number {
  return 4096 + request.url.length + (request.body?.byteLength ?? 0);
}

/** The row still shows that a request was made, and that its body is missing. */
function withoutBody(request: ObservedRequest): ObservedRequest {
  const { body: _body, ...rest } = request;
  return { ...rest, bodyStatus: 'truncated' };
}
