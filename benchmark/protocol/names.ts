import { sha256Hex } from '../text/sha256.ts';

/**
 * Names of objects and keys. Task names reach 181 characters and models hold slashes
 * and colons, so names are hashes of the four things that make a run, and the originals stand in labels' annotations
 * and in run-meta.
 */

export interface RunIdentity {
  /** Case name in the suite. */
  readonly task: string;
  readonly model: string;
  readonly harness: string;
  /** 1-based. */
  readonly repetition: number;
}

/** 12 hex digits: 8 would collide at 50,000 runs with 25 %. Expansion still checks that they are unique. */
function runHash(identity: RunIdentity): string {
  const { task, model, harness, repetition } = identity;
  return sha256Hex(JSON.stringify([task, model, harness, repetition])).slice(0, 12);
}

/** `<batch>-<12 hex>`; with a batch name of at most 40 characters it and the Pod's name are DNS labels. */
export function runName(batch: string, identity: RunIdentity): string {
  return `${batch}-${runHash(identity)}`;
}

/** `<run>-a<attempt>`. */
export function podName(run: string, attempt: number): string {
  return `${run}-a${String(attempt)}`;
}

/** `<batch>-judge-<n>`, also the name of its list's ConfigMap. */
export function judgeJobName(batch: string, n: number): string {
  return `${batch}-judge-${String(n)}`;
}

/**
 * Directory of a run in the bundle: `<place>-<repetition>-<run>`, for upstream lists runs by name and its tables are
 * read in task order.
 * @param place 0-based place of the task in the batch's task list.
 */
function runDirectory(place: number, repetition: number, run: string): string {
  return `${String(place + 1).padStart(5, '0')}-${String(repetition).padStart(2, '0')}-${run}`;
}

/** A model's name in keys and paths, as upstream spells it: every run of `/` or `:` becomes `--`. */
export function safeModel(model: string): string {
  return model.replace(/[/:]+/g, '--');
}

/** `<safeModel>/batch-<batch>--<harness>--<safeModel>` with no trailing slash: upstream's batch directory. */
export function batchPrefix(batch: string, harness: string, model: string): string {
  const safe = safeModel(model);
  return `${safe}/batch-${batch}--${harness}--${safe}`;
}

export interface RunPlace extends RunIdentity {
  readonly batch: string;
  /** 0-based place of the task in the batch's task list. */
  readonly place: number;
  /** Name of a run that was made by hand; absent: {@link runName}. */
  readonly run?: string;
}

/** Key prefix of a run below the store's own, no trailing slash; its attempts lie below, see {@link attemptPrefix}. */
export function runPrefix(run: RunPlace): string {
  const directory = runDirectory(run.place, run.repetition, run.run ?? runName(run.batch, run));
  return `${batchPrefix(run.batch, run.harness, run.model)}/${safeModel(run.model)}/${directory}`;
}

/** An attempt, by the fields of `RunConfig`. */
export interface AttemptPlace {
  /** See {@link runPrefix}. */
  readonly runPrefix: string;
  /** `metadata.uid` of the run's object. */
  readonly runUID: string;
  /** 1-based. */
  readonly attempt: number;
}

/** 32 random bits: enough for the few objects that ever bear one run's name. */
const UID_LENGTH = 8;
const ATTEMPT_NAME = /^a\d+(?:-[^/]+)?$/;

/**
 * `<runPrefix>/a<attempt>-<8 of the UID>/`, with trailing slash. A run that was deleted and made again counts its
 * attempts from 1; its object's UID keeps it out of its namesake's evidence (docs/decisions/005).
 */
export function attemptPrefix({ runPrefix: run, runUID, attempt }: AttemptPlace): string {
  return `${run}/a${String(attempt)}-${runUID.slice(0, UID_LENGTH)}/`;
}

/** Whether a directory of this name below a run's holds an attempt. */
export function isAttemptName(name: string): boolean {
  return ATTEMPT_NAME.test(name);
}

/**
 * The run's prefix, without trailing slash, from an attempt's, with one.
 * @throws TypeError for any other prefix: what is looked for, written or removed below a wrong one is somebody else's.
 */
export function runOfAttempt(prefix: string): string {
  const parts = /^(.+)\/([^/]+)\/$/.exec(prefix);
  if (parts === null || !isAttemptName(parts[2] ?? '')) throw new TypeError(`"${prefix}" is no attempt's prefix`);
  return parts[1] ?? '';
}

const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/;

/** A label's value: the text itself where Kubernetes allows it, else a readable beginning and a hash of the whole. */
export function labelValue(text: string): string {
  if (LABEL_VALUE.test(text)) return text;
  const head = text
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 50)
    .replace(/[^A-Za-z0-9]+$/, '');
  const hash = sha256Hex(text).slice(0, 10);
  return head === '' ? hash : `${head}-${hash}`;
}

const NAME_PART = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;
const DOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

/** Whether Kubernetes takes it as the key of a label or annotation: `name` or `domain/name`. */
export function isQualifiedName(key: string): boolean {
  const parts = key.split('/');
  const [domain, name] = parts.length === 1 ? [null, parts[0]] : parts;
  if (parts.length > 2 || name === undefined || !NAME_PART.test(name)) return false;
  return domain == null || (domain.length <= 253 && DOMAIN.test(domain));
}
