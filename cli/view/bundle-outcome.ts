import { RUBRICS, type Rubric } from '../../benchmark/judge/rubrics.ts';
import { verdictMatch } from '../../benchmark/judge/verdict-file.ts';
import { isNonResult, type Outcome } from '../../benchmark/outcome/outcome.ts';
import { labelAt, objectAt, textAt, valueAt, type JsonRecord } from './fields.ts';

/** The small files that say how a run ended; null: not there or unreadable. */
export interface RunFiles {
  readonly meta: JsonRecord;
  /** `claim.json` beside the attempts. */
  readonly claim: JsonRecord | null;
  /** By rubric; those that were asked. */
  readonly verdicts: Readonly<Partial<Record<Rubric, JsonRecord>>>;
}

export interface BundleOutcome {
  /** One of ours, or what the claim says. */
  readonly outcome: string;
  /** One CamelCase word, or upstream's. */
  readonly reason: string;
  /** One sentence; may be empty. */
  readonly message: string;
}

/**
 * How a run ended, as its bundle tells it. No file holds the outcome after the judge, which stands in the run's status
 * in the cluster: it follows from the claim (or, in a bundle without one, from run-meta) and from the verdicts.
 */
export function outcomeFromBundle(files: RunFiles): BundleOutcome {
  const told = ofClaim(files) ?? ofMeta(files.meta);
  const open = told.outcome === 'JudgePending' || isJudgedSession(files, told);
  return open ? (judged(files) ?? told) : told;
}

/** Without a caught request only a batch whose deciding rubric is Agentic says in run-meta whether it is a pass. */
function isJudgedSession({ meta, verdicts }: RunFiles, told: BundleOutcome): boolean {
  const decided = typeof meta['pass'] === 'boolean' && verdicts.Agentic !== undefined;
  return meta['intercepted'] !== true && decided && !isNonResult(told.outcome);
}

function ofClaim({ claim, meta }: RunFiles): BundleOutcome | null {
  const outcome = labelAt(claim, 'outcome', 'outcome');
  // Another attempt's claim says nothing about this one.
  if (outcome === '' || !isOwn(claim, meta)) return null;
  return { outcome, reason: labelAt(claim, 'outcome', 'reason'), message: textAt(claim, 'outcome', 'message') };
}

/** A run that was made again has attempts of the same numbers as its namesake. */
function isOwn(claim: JsonRecord | null, meta: JsonRecord): boolean {
  const uid = valueAt(meta, 'clawbench', 'run_uid') ?? valueAt(claim, 'runUID');
  return valueAt(claim, 'attempt') === (valueAt(meta, 'clawbench', 'attempt') ?? 1) && valueAt(claim, 'runUID') === uid;
}

/** The verdict that decided, as far as the bundle tells: see {@link decidedBy}. */
function judged(files: RunFiles): BundleOutcome | null {
  const decided = decidedBy(files);
  if (decided === null) return null;
  const { rubric, match, reason } = decided;
  const message = `${rubric}: ${reason}`;
  if (files.meta['pass'] === true || match === true) return { outcome: 'Passed', reason: 'JudgedMatch', message };
  return match === false ? { outcome: 'Failed', reason: 'JudgedMismatch', message } : null;
}

/**
 * The rubric that decides is not in the bundle; whether the run passed may be. So it is the first one, the strict one
 * before all others, that does not contradict that: a match that is no pass was overruled, and so was a mismatch that is.
 */
function decidedBy(files: RunFiles): BundleVerdict | null {
  const { pass } = files.meta;
  const verdicts = verdictsOf(files);
  const agreeing = verdicts.filter(({ match }) => typeof pass !== 'boolean' || match === null || match === pass);
  return (
    (pass === true ? agreeing.find(({ match }) => match === true) : undefined) ?? agreeing[0] ?? verdicts[0] ?? null
  );
}

/** A rubric's verdict; `match` null: the judge gave no usable answer. */
export interface BundleVerdict {
  readonly rubric: Rubric;
  readonly match: boolean | null;
  readonly reason: string;
  readonly model: string;
}

/** The verdicts that there are, in the rubrics' own order. Upstream keeps the strict one in run-meta too. */
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

/** A bundle that upstream made has no block of ours. */
function ofUpstream(meta: JsonRecord, message: string): BundleOutcome {
  const stop = labelAt(meta, 'run_metrics', 'stop_reason');
  if (stop === 'time_limit_exceeded') return { outcome: 'TimedOut', reason: 'TimeLimitExceeded', message };
  const outcome = meta['infra_failure'] === true ? 'Infrastructure' : 'Failed';
  return { outcome, reason: stop === '' ? labelAt(meta, 'result_category') : stop, message };
}
