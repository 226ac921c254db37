import { sha256Hex } from '../text/sha256.ts';

/**
 * Names of objects and keys. Task names have up to 181 characters and model names contain slashes and colons, so names contain
 * a hash of the four properties that identify a run; the originals are in annotations and in run-meta.
 */

export interface RunIdentity {
  /** Case name in the suite. */
  readonly task: string;
  readonly model: string;
  readonly harness: string;
  /** 1-based. */
  readonly repetition: number;
}

/** 12 hex digits: with 8, the probability of a collision among 50,000 runs is 25 %. Expansion still checks uniqueness. */
function runHash(identity: RunIdentity): string {
  const { task, model, harness, repetition } = identity;
  return sha256Hex(JSON.stringify([task, model, harness, repetition])).slice(0, 12);
}

/** `<batch>-<12 hex>`; with a batch name of at most 40 characters this and the Pod's name are DNS labels. */
export function runName(batch: string, identity: RunIdentity): string {
  return `${batch}-${runHash(identity)}`;
}

/** `<run>-a<attempt>`. */
export function podName(run: string, attempt: number): string {
  return `${run}-a${String(attempt)}`;
}

/** `<batch>-judge-<n>`, also the name of the ConfigMap with its list. */
export function judgeJobName(batch: string, n: number): string {
  return `${batch}-judge-${String(n)}`;
}

/**
 * Directory of a run in the bundle: `<place>-<repetition>-<run>`, because upstream lists runs by name and its tables should be
 * in task order.
 * @param place 0-based index of the task in the batch's task list.
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
  /** 0-based index of the task in the batch's task list. */
  readonly place: number;
  /** Name of a standalone run; absent: {@link runName}. */
  readonly run?: string;
}

/** Key prefix of a run below the store's own prefix, no trailing slash; for its attempts see {@link attemptPrefix}. */
export function runPrefix(run: RunPlace): string {
  const directory = runDirectory(run.place, run.repetition, run.run ?? runName(run.batch, run));
  return `${batchPrefix(run.batch, run.harness, run.model)}/${safeModel(run.model)}/${directory}`;
}

/** Identifies an attempt by fields of `RunConfig`. */
export interface AttemptPlace {
  /** See {@link runPrefix}. */
  readonly runPrefix: string;
  /** `metadata.uid` of the run's object. */
  readonly runUID: string;
  /** 1-based. */
  readonly attempt: number;
}

/** 32 random bits: enough for the few objects that ever have the same run name. */
const UID_LENGTH = 8;
const ATTEMPT_NAME = /^a\d+(?:-[^/]+)?$/;

/**
 * `<runPrefix>/a<attempt>-<8 of the UID>/`, with trailing slash. A run that was deleted and created again counts its
 * attempts from 1; the UID of its object keeps its evidence apart from that of the earlier run (docs/decisions/005).
 */
export function attemptPrefix({ runPrefix: run, runUID, attempt }: AttemptPlace): string {
  return `${run}/a${String(attempt)}-${runUID.slice(0, UID_LENGTH)}/`;
}

/** Whether a directory of this name below a run's directory holds an attempt. */
export function isAttemptName(name: string): boolean {
  return ATTEMPT_NAME.test(name);
}

/**
 * The run's prefix (without trailing slash) of an attempt's prefix (with one).
 * @throws TypeError for any other prefix: objects below a wrong one would belong to another run.
 */
export function runOfAttempt(prefix: string): string {
  const parts = /^(.+)\/([^/]+)\/$/.exec(prefix);
  if (parts === null || !isAttemptName(parts[2] ?? ''))
    throw new TypeError(`"${prefix}" is not the prefix of an attempt`);
  return parts[1] ?? '';
}

const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/;

/** A label value: the text itself if it is valid, otherwise its readable beginning and a hash of the whole text. */
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

/** Whether a text is a valid key of a label or annotation: `name` or `domain/name`. */
export function isQualifiedName(key: string): boolean {
  const parts = key.split('/');
  const [domain, name] = parts.length === 1 ? [null, parts[0]] : parts;
  if (parts.length > 2 || name === undefined || !NAME_PART.test(name)) return false;
  return domain == null || (domain.length <= 253 && DOMAIN.test(domain));
}
