import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { apiCalls } from '../../benchmark/usage/api-calls.ts';
import { apiOrCreditEvidence } from '../../benchmark/outcome/provider-refusal-evidence.ts';
import { missingFiles } from '../../benchmark/outcome/upstream-category.ts';
import { MODEL_CALLS_FILES } from '../../benchmark/protocol/model-gateway.ts';
import { summarizeUsage } from '../../benchmark/usage/summary.ts';
import type { EvidenceFacts } from '../contracts.ts';
import type { EvidenceCaps } from './size-caps.ts';
import { collectLog, collectRows, logNames } from './harness-files.ts';
import type { WholeFile } from './live-upload.ts';
import { type HashedFile, hashFile } from './hash-file.ts';
import type { BundleNotes } from './bundle-notes.ts';
import { copyRecording, recordingStart } from './recording-copy.ts';
import type { Secrets } from './secrets.ts';
import { readJsonlRows, slimMessage } from './transcript-rows.ts';

export interface CollectInput {
  /** `data/` of the evidence volume, its own files closed. */
  readonly data: string;
  readonly recordingDir: string;
  readonly harnessData: string;
  /** The model gateway's volume; empty without a gateway. */
  readonly modelCalls: string | undefined;
  readonly caps: EvidenceCaps;
  readonly secrets: Secrets;
  readonly notes: BundleNotes;
  readonly recordingRequired: boolean;
  readonly screenshots: readonly string[];
}

export interface Collected {
  /** In byte order of `path`. */
  readonly files: readonly HashedFile[];
  /** Without the notes, which may still grow; the caller adds them. */
  readonly facts: Omit<EvidenceFacts, 'notes'>;
}

/** Copies the harness's and browser's files into `data/`, then counts and hashes all. One bad file does not stop the others. */
export async function collect(input: CollectInput): Promise<Collected> {
  const { data, harnessData, caps, secrets, notes } = input;
  const tolerate = async <T>(name: string, work: Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      notes.add(`${name}: could not be collected (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
      return otherwise;
    }
  };
  const rows = (name: string, from: string, cap: number): Promise<boolean> =>
    tolerate(name, collectRows({ from: join(from, name), to: join(data, name), name, cap }, secrets, notes.add), false);
  await rows('agent-messages.jsonl', harnessData, caps.messages);
  // The gateway counts what the provider reported; a harness counts what it believes.
  const exact = input.modelCalls !== undefined && (await rows(MODEL_CALLS_FILES.usage, input.modelCalls, caps.usage));
  if (!exact) await rows('usage.jsonl', harnessData, caps.usage);
  if (input.modelCalls !== undefined) await rows(MODEL_CALLS_FILES.calls, input.modelCalls, caps.usage);
  const logs = await tolerate('logs', collectLogs(input), new Map<string, string>());
  await tolerate('recording.mp4', copyRecording(input.recordingDir, data, caps.recording, notes.add), undefined);
  const files = await hashAll(input);
  return { files, facts: await readFacts(input, files, logs) };
}

async function collectLogs(input: CollectInput): Promise<Map<string, string>> {
  const target = join(input.data, 'logs');
  await mkdir(target, { recursive: true });
  const harness = await logNames(input.harnessData);
  if (harness.length > input.caps.logFiles)
    input.notes.add(`logs: only the first ${input.caps.logFiles} files are kept.`);
  const texts = new Map<string, string>();
  for (const name of harness.slice(0, input.caps.logFiles)) {
    const copy = { from: join(input.harnessData, name), to: join(target, name), name, cap: input.caps.log };
    const text = await collectLog(copy, input.secrets);
    if (text !== null) texts.set(name, text);
  }
  // The browser container's logs are kept, but say nothing about the model's provider.
  for (const name of await logNames(input.recordingDir)) {
    const copy = {
      from: join(input.recordingDir, name),
      to: join(target, `browser-${name}`),
      name,
      cap: input.caps.log,
    };
    await collectLog(copy, input.secrets);
  }
  return texts;
}

const SINGLE_FILES = [
  'actions.jsonl',
  'requests.jsonl',
  'agent-messages.jsonl',
  'usage.jsonl',
  MODEL_CALLS_FILES.calls,
  'interception.json',
  'recording.mp4',
];

async function hashAll(input: CollectInput): Promise<HashedFile[]> {
  const logs = await logNames(join(input.data, 'logs'));
  const below = [
    ...SINGLE_FILES,
    ...input.screenshots.map((name) => `screenshots/${name}`),
    ...logs.map((name) => `logs/${name}`),
  ];
  const hashed: HashedFile[] = [];
  for (const name of below) {
    const file: WholeFile = { path: `data/${name}`, source: join(input.data, name) };
    const found = await hashFile(file);
    if (found) hashed.push(found);
  }
  return hashed.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function readFacts(
  input: CollectInput,
  files: readonly HashedFile[],
  logs: ReadonlyMap<string, string>,
): Promise<Collected['facts']> {
  const rows = (name: string, keep: (row: unknown) => unknown): ReturnType<typeof readJsonlRows> =>
    readJsonlRows(join(input.data, name), keep);
  const nothing = (): null => null;
  const messages = await rows('agent-messages.jsonl', slimMessage);
  const usage = summarizeUsage((await rows('usage.jsonl', (row) => row)).rows);
  const present = new Set(files.map((file) => file.path.slice('data/'.length)));
  return {
    actions: (await rows('actions.jsonl', nothing)).lines,
    requests: (await rows('requests.jsonl', nothing)).lines,
    messages: messages.lines,
    screenshots: input.screenshots.length,
    recordingBytes: files.find((file) => file.path === 'data/recording.mp4')?.size ?? 0,
    recordingStartedAt: await recordingStart(input.recordingDir),
    apiCalls: apiCalls(messages.rows, usage.api_calls),
    missingFiles: missingFiles(present, input.recordingRequired),
    apiOrCreditEvidence: apiOrCreditEvidence(messages.rows, logs),
    usage: { ...usage },
  };
}
