import type { Classification } from '../../../benchmark/outcome/upstream-category.ts';
import { isNonResult } from '../../../benchmark/outcome/outcome.ts';
import { normalizeUsage } from '../../../benchmark/usage/normalize.ts';
import { verdictMatch } from '../../../benchmark/judge/verdict-file.ts';
import type { JudgeRow } from '../../../benchmark/protocol/job-messages.ts';
import { taskFromJson } from '../../../benchmark/task/task.ts';
import type { ClawBenchRunStatus } from '../../../crds/status/run-status.ts';
import { ProviderError } from '../../../judging/call/provider-error.ts';
import { judgeRun, type VerdictFiles } from '../../../judging/run/judge-run.ts';
import { promoteAttempt } from '../../../judging/bundle/promote-attempt.ts';
import { runVerdicts } from '../../../jobs/judge/apply-run-status.ts';
import { getJson } from '../../../judging/bundle/stored-json.ts';
import type { BatchFacts } from '../../../operator/run/batch-facts.ts';
import { applyVerdict, awaitsVerdict } from '../../../operator/run/verdict.ts';
import { externalStopCause } from '../../../sidecar/lifecycle/state-machine/stop-cause.ts';
import { memoryStore, type MemoryStore } from '../../../store/memory.fixture.ts';
import { NotAvailableHere } from '../group.ts';
import { playAttempt, CASE_PREFIX, type AttemptStory, type PlayedAttempt } from './attempt.ts';

/** The judge's behavior: a reply, no reply, or an unknown model; null: there is no judge. */
type JudgeSays = { readonly reply: string } | 'fails' | 'unknown model' | null;

interface Situation {
  /** Null: the Pod never ran. */
  readonly attempt: AttemptStory | null;
  readonly judge?: JudgeSays;
}

const MATCH = { reply: '{"match": true, "reason": "ok"}' };
const intercepted = { cause: { kind: 'intercepted' } } as const;
const exited = { cause: { kind: 'agentExited', exitCode: 0 } } as const;

const SITUATIONS: Readonly<Record<string, Situation>> = {
  'intercepted, judge match': { attempt: intercepted },
  'intercepted, judge mismatch': { attempt: intercepted, judge: { reply: '{"match": false, "reason": "no"}' } },
  'intercepted, judge inconclusive': { attempt: intercepted, judge: { reply: 'hm' } },
  'intercepted, no judge': { attempt: intercepted, judge: null },
  'not intercepted': { attempt: exited },
  'judge raises': { attempt: intercepted, judge: 'fails' },
  'judge model missing from models.yaml': { attempt: intercepted, judge: 'unknown model' },
  'email creation fails': { attempt: { ...exited, mailRefused: true } },
  'task file missing': { attempt: { ...exited, task: null } },
  'task invalid': { attempt: { ...exited, task: '{"instruction": 1}' } },
  'image build exits 3': { attempt: null },
  'copying results fails after the agent finished': { attempt: { ...exited, storeAway: true } },
  'remote browser cannot start': { attempt: { ...exited, browserFails: true } },
  'remote browser cleanup fails': { attempt: { ...intercepted, browserFailsToClose: true } },
  'remote replay download fails after an interception': { attempt: { ...intercepted, recordingLost: true } },
  'interrupt while waiting': { attempt: { cause: externalStopCause({ local: false }) } },
  'page emitted an action without type, request intercepted': {
    attempt: { ...intercepted, payload: '{"timestamp":1}', line: '{"timestamp":1}' },
  },
  'stop asked for by a page, nothing intercepted': { attempt: { cause: { kind: 'stopRequested' } } },
};

const answers = new Map<string, Promise<Readonly<Record<string, unknown>>>>();

/** How recorder, operator and judge close a run in this situation. It is run once, because it depends on nothing else. */
export function runOutcome(name: string): Promise<unknown> {
  const situation = SITUATIONS[name];
  if (situation === undefined)
    throw new NotAvailableHere("a situation of upstream's host program that none of our rules covers");
  const answer = answers.get(name) ?? outcomeOf(situation);
  answers.set(name, answer);
  return answer;
}

/** The result of an intercepted run when this line is among its actions and a page also passes it to the binding. */
export function interceptedWith(line?: string): Promise<Readonly<Record<string, unknown>>> {
  return outcomeOf({ attempt: { ...intercepted, ...(line === undefined ? {} : { line, payload: line }) } });
}

async function outcomeOf(situation: Situation): Promise<Readonly<Record<string, unknown>>> {
  try {
    return { exception: null, ...(await ended(situation)) };
  } catch (error) {
    return { exception: (error as Error).name };
  }
}

async function ended({ attempt, judge = MATCH }: Situation): Promise<Readonly<Record<string, unknown>>> {
  const played = attempt === null ? null : await playAttempt(attempt);
  const store = played?.store ?? memoryStore();
  const status = played === null ? NEVER_RAN : statusOf(played);
  await closed(store, status);
  const { called, files } = await judged(store, status, judge);
  const verdict = await getJson(store, `${CASE_PREFIX}judge.json`);
  const end = applyVerdict({ ...status, verdicts: runVerdicts(files) }, factsOf(judge), { now: 0, generation: 1 });
  return {
    ...metaFields(await getJson(store, `${CASE_PREFIX}run-meta.json`), end),
    judge_called: called,
    judge_json: verdict !== null,
    judge_match: called ? verdictMatch(verdict) : '<absent>',
    email_deleted: played?.mailboxDeleted === true,
  };
}

/** A run that its recorder left open and whose retries are exhausted. */
async function closed(store: MemoryStore, { outcome, reason }: ClawBenchRunStatus): Promise<void> {
  if (isNonResult(outcome ?? null))
    await promoteAttempt({ store, batchUID: 'batch', taskOf }, { ...ROW, outcome, reason });
}

function metaFields(written: Readonly<Record<string, unknown>> | null, end: ClawBenchRunStatus): object {
  const meta = written ?? {};
  return {
    run_meta_written: written !== null,
    intercepted: meta['intercepted'],
    pass: meta['pass'] ?? passOf(end),
    has_failure_reason: 'failure_reason' in meta,
    ...categories(meta),
  };
}

function categories(from: Partial<Classification>): Partial<Classification> {
  const { result_category, failure_category, infra_failure, adjusted_eligible } = from;
  return { result_category, failure_category, infra_failure, adjusted_eligible } as Partial<Classification>;
}

const NEVER_RAN: ClawBenchRunStatus = { outcome: 'Infrastructure', reason: 'ImagePullFailed' };

/** The fields of the attempt's message that the operator uses and the judge's list depends on. */
function statusOf({ message }: PlayedAttempt): ClawBenchRunStatus {
  const { outcome, reason, intercepted: caught, evidence } = message;
  return { outcome, reason, intercepted: caught, evidence };
}

const ROW: JudgeRow = {
  run: 'r',
  uid: 'run',
  action: 'Promote',
  prefix: CASE_PREFIX,
  model: 'm',
  harness: 'h',
  case: '1',
  repetition: 1,
};
const TASK = taskFromJson({ instruction: 'i', eval_schema: { url_pattern: '/hit', method: 'POST' }, time_limit: 1 });
const taskOf = (): typeof TASK => TASK;

function factsOf(judge: JudgeSays): BatchFacts {
  const facts: Pick<BatchFacts, 'ended' | 'rubrics' | 'passRubric'> = {
    ended: false,
    rubrics: judge === null ? [] : ['Strict'],
    passRubric: judge === null ? null : 'Strict',
  };
  return facts as BatchFacts;
}

/** What the judge Job does when the operator lists the run for it. */
async function judged(
  store: MemoryStore,
  status: ClawBenchRunStatus,
  judge: JudgeSays,
): Promise<{ readonly called: boolean; readonly files: VerdictFiles }> {
  // Without its model the Job stops before the first call.
  if (!awaitsVerdict(status, factsOf(judge)) || judge === 'unknown model') return { called: false, files: {} };
  let called = false;
  const ask = (): Promise<{ text: string; usage: ReturnType<typeof normalizeUsage> }> => {
    called = true;
    if (judge === null || judge === 'fails') return Promise.reject(new ProviderError('Refused', 400, 'no'));
    return Promise.resolve({ text: judge.reply, usage: normalizeUsage({}) });
  };
  const context = {
    store,
    ask,
    model: 'jm',
    structured: false,
    rubrics: ['Strict'],
    passRubric: 'Strict',
    taskOf,
    keep: { judgeModel: 'jm' },
    agentic: { references: null },
    updateMeta: true,
  } as const;
  try {
    const files = await judgeRun(context, { prefix: CASE_PREFIX, case: '1' });
    return { called, files };
  } catch (error) {
    // The row stays open.
    if (error instanceof ProviderError) return { called, files: {} };
    throw error;
  }
}

/** `pass` from the run's status where run-meta has none; absent for a run whose outcome is not a result. */
function passOf({ outcome }: ClawBenchRunStatus): boolean | '<absent>' {
  return outcome === undefined || isNonResult(outcome) ? '<absent>' : outcome === 'Passed';
}
