import { RUBRICS, type Rubric } from '../../benchmark/judge/rubrics.ts';
import { verdictMatch } from '../../benchmark/judge/verdict-file.ts';
import { isNonResult, type Outcome } from '../../benchmark/outcome/outcome.ts';
import { labelAt, objectAt, textAt, valueAt, type JsonRecord } from './fields.ts';

/** The small files that determine the outcome of a run; null if missing or unreadable. */
export interface RunFiles {
  readonly meta: JsonRecord;
  /** `claim.json` in the folder of the run. */
  readonly claim: JsonRecord | null;
  /** Verdict files by rubric. */
  readonly verdicts: Readonly<Partial<Record<Rubric, JsonRecord>>>;
}

export interface BundleOutcome {
  /** An outcome, or the text in the claim. */
  readonly outcome: string;
  /** One CamelCase word, or upstream's word. */
  readonly reason: string;
  /** One sentence; may be empty. */
  readonly message: string;
}

/**
 * The outcome of a run according to its bundle. The final outcome is only in the status of the run in the cluster, not in
 * a file: it is derived from the claim (or from run-meta in a bundle without one) and the verdicts.
 */
export function outcomeFromBundle(files: RunFiles): BundleOutcome {
  const recorded = ofClaim(files) ?? ofMeta(files.meta);
  const needsVerdict = recorded.outcome === 'JudgePending' || isJudgedWithoutInterception(files, recorded);
  return needsVerdict ? (judged(files) ?? recorded) : recorded;
}

/** Without an intercepted request, run-meta has `pass` only if the pass rubric of the batch is Agentic. */
function isJudgedWithoutInterception({ meta, verdicts }: RunFiles, recorded: BundleOutcome): boolean {
  const decided = typeof meta['pass'] === 'boolean' && verdicts.Agentic !== undefined;
  return meta['intercepted'] !== true && decided && !isNonResult(recorded.outcome);
}

function ofClaim({ claim, meta }: RunFiles): BundleOutcome | null {
  const outcome = labelAt(claim, 'outcome', 'outcome');
  // The claim of another attempt does not apply to this one.
  if (outcome === '' || !isOwn(claim, meta)) return null;
  return { outcome, reason: labelAt(claim, 'outcome', 'reason'), message: textAt(claim, 'outcome', 'message') };
}

/** Attempt numbers are not unique: a run that was deleted and created again starts with 1 again. */
function isOwn(claim: JsonRecord | null, meta: JsonRecord): boolean {
  const uid = valueAt(meta, 'clawbench', 'run_uid') ?? valueAt(claim, 'runUID');
  return valueAt(claim, 'attempt') === (valueAt(meta, 'clawbench', 'attempt') ?? 1) && valueAt(claim, 'runUID') === uid;
}

/** The outcome of the deciding verdict; see {@link decidedBy}. */
function judged(files: RunFiles): BundleOutcome | null {
  const decided = decidedBy(files);
  if (decided === null) return null;
  const { rubric, match, reason } = decided;
  const message = `${rubric}: ${reason}`;
  if (files.meta['pass'] === true || match === true) return { outcome: 'Passed', reason: 'JudgedMatch', message };
  return match === false ? { outcome: 'Failed', reason: 'JudgedMismatch', message } : null;
}

/**
 * The bundle does not name the pass rubric, but it may say whether the run passed. So this takes the first verdict, strict
 * first, that agrees with it: a match of a run that did not pass was not decisive, nor was a mismatch of one that passed.
 */
function decidedBy(files: RunFiles): BundleVerdict | null {
  const { pass } = files.meta;
  const verdicts = verdictsOf(files);
  const agreeing = verdicts.filter(({ match }) => typeof pass !== 'boolean' || match === null || match === pass);
  return (
    (pass === true ? agreeing.find(({ match }) => match === true) : undefined) ?? agreeing[0] ?? verdicts[0] ?? null
  );
}

/** The verdict of a rubric; `match` is null if the judge gave no usable answer. */
export interface BundleVerdict {
  readonly rubric: Rubric;
  readonly match: boolean | null;
  readonly reason: string;
  readonly model: string;
}

/** The existing verdicts in the order of the rubrics. Upstream stores the strict one in run-meta, too. */
export function verdictsOf({ meta, verdicts }: RunFiles): readonly BundleVerdict[] {
  return RUBRICS.flatMap((rubric) => {
    const file = verdicts[rubric] ?? (rubric === 'Strict' ? objectAt(meta, 'judge') : null);
    if (file === null) return [];
    return [{ rubric, match: verdictMatch(file), reason: textAt(file, 'reason'), model: labelAt(file, 'judge_model') }];
  });
}

/** Cause words of `clawbench.cause` (sidecar/lifecycle/state-machine/stop-cause.ts). */
const BY_CAUSE: Readonly<Record<string, readonly [Outcome, string]>> = {
  timeLimit: ['TimedOut', 'TimeLimitExceeded'],
  idle: ['Failed', 'AgentIdle'],
  agentExited: ['Failed', 'AgentExited'],
  stopRequested: ['Failed', 'AgentExited'],
  cancelled: ['Cancelled', 'CancelledByUser'],
  escape: ['InterceptionEscape', 'ResponseWithoutPause'],
  infrastructure: ['Infrastructure', 'InternalError'],
};

function ofMeta(meta: JsonRecord): BundleOutcome {
  const message = textAt(meta, 'failure_reason');
  const reason = labelAt(meta, 'clawbench', 'reason');
  const promoted = labelAt(meta, 'clawbench', 'outcome');
  if (promoted !== '') return { outcome: promoted, reason, message };
  const cause = textAt(meta, 'clawbench', 'cause');
  const known = Object.hasOwn(BY_CAUSE, cause) ? BY_CAUSE[cause] : undefined;
  if (known !== undefined) return { outcome: known[0], reason: reason === '' ? known[1] : reason, message };
  return meta['intercepted'] === true ? ofInterception(meta) : ofUpstream(meta, message);
}

function ofInterception(meta: JsonRecord): BundleOutcome {
  const reason = 'Intercepted';
  const message = 'The terminal request was blocked.';
  if (valueAt(meta, 'clawbench', 'body_unavailable') === true) {
    return { outcome: 'EvidenceIncomplete', reason: 'BodyUnavailable', message };
  }
  const outcome = valueAt(meta, 'run_flags', 'no_judge') === true ? 'Passed' : 'JudgePending';
  return { outcome, reason, message };
}

/** Bundles of upstream have no `clawbench` block. */
function ofUpstream(meta: JsonRecord, message: string): BundleOutcome {
  const stop = labelAt(meta, 'run_metrics', 'stop_reason');
  if (stop === 'time_limit_exceeded') return { outcome: 'TimedOut', reason: 'TimeLimitExceeded', message };
  const outcome = meta['infra_failure'] === true ? 'Infrastructure' : 'Failed';
  return { outcome, reason: stop === '' ? labelAt(meta, 'result_category') : stop, message };
}
