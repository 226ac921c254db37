import { isObject } from '../../benchmark/text/json.ts';
import type { UserPromptInput } from '../../benchmark/judge/user-prompt.ts';
import { rescorePlan, isKept, type KeepVerdicts } from '../../benchmark/judge/rescore-plan.ts';
import { RUBRIC_PROMPTS } from '../../benchmark/judge/system-prompts.ts';
import { rescoredVerdict, verdictFile, verdictMatch } from '../../benchmark/judge/verdict-file.ts';
import { isTruthy } from '../../benchmark/text/python-equality.ts';
import type { PromptRubric, Rubric } from '../../benchmark/judge/rubrics.ts';
import type { Task } from '../../benchmark/task/task.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { referenceOf } from '../agentic/find-reference.ts';
import { judgeAgentic, type AgenticOptions } from '../agentic/judge-agentic.ts';
import { askRubric, type JudgeModel } from '../rubric/ask-rubric.ts';
import { idleTurn } from './idle-turn.ts';
import { readStoredRun, type ReadableRun } from '../bundle/read-stored-run.ts';
import { putJson, getJson, textOf, type StoredJson } from '../bundle/stored-json.ts';
import { saveVotes } from '../bundle/votes.ts';

/** A rubric's name in prompts and files by its name in the API; the agentic rubric is not a single question. */
const PROMPT_RUBRICS: Readonly<Partial<Record<Rubric, PromptRubric>>> = {
  Strict: 'strict',
  Lenient: 'lenient',
  Answer: 'answer',
};

export type JudgedTask = Pick<Task, 'instruction' | 'judgeContext'>;

export interface JudgeContext extends JudgeModel {
  readonly store: ObjectStore;
  readonly rubrics: readonly Rubric[];
  readonly passRubric: Rubric;
  /** The suite's task; null when the suite is not available: then the instruction in the bundle is used. */
  readonly taskOf: (caseName: string) => JudgedTask | null;
  readonly keep: KeepVerdicts;
  /** For the agentic rubric. */
  readonly agentic: AgenticOptions;
  /** Whether to write upstream's judge fields into run-meta, as upstream's runner does and its rescoring does not. */
  readonly updateMeta: boolean;
}

/** A run's verdict files by rubric. */
export type VerdictFiles = Readonly<Partial<Record<Rubric, StoredJson>>>;

/** The stored run cannot be judged; the message is one sentence. */
export class RunUnreadable extends Error {
  override readonly name = 'RunUnreadable';
}

/** A run to judge: its location and task. */
export interface JudgedRun {
  /** Key prefix of the attempt that counts, with trailing slash. */
  readonly prefix: string;
  readonly case: string;
  /** Meta and verdicts if they have been read already. */
  readonly stored?: Pick<ReadableRun, 'meta' | 'verdicts'>;
}

/**
 * Judges one run: asks each rubric that has no verdict to keep, stores every vote, writes the verdict files and upstream's
 * judge fields in run-meta.
 * @throws ProviderError when the provider sends no reply; what was written until then stays valid.
 * @throws RunUnreadable
 */
export async function judgeRun(context: JudgeContext, run: JudgedRun): Promise<VerdictFiles> {
  const stored = run.stored ?? (await readStoredRun(context.store, run.prefix, context.rubrics));
  const { meta } = stored;
  if (meta === null) throw new RunUnreadable(`${run.prefix}run-meta.json is missing or not a JSON object`);
  const readable = { prefix: run.prefix, meta, verdicts: stored.verdicts };
  const files = { ...(await judgeRequest(context, run, readable)), ...(await judgeSession(context, run, readable)) };
  if (context.updateMeta) await updateMeta(context, run, meta, files);
  return files;
}

/** The rubrics about the intercepted request; asked only when a request was intercepted. */
async function judgeRequest(
  context: JudgeContext,
  run: JudgedRun,
  { meta, verdicts }: Pick<ReadableRun, 'meta' | 'verdicts'>,
): Promise<VerdictFiles> {
  const asked = context.rubrics.flatMap((rubric) => {
    const name = PROMPT_RUBRICS[rubric];
    return name === undefined ? [] : [[rubric, name] as const];
  });
  if (asked.length === 0 || !isTruthy(meta['intercepted'])) return {};
  const key = `${run.prefix}data/interception.json`;
  const interception = await getJson(context.store, key);
  if (interception === null) throw new RunUnreadable(`${key} is missing or not a JSON object`);
  const plan = rescorePlan({
    meta,
    interception,
    verdicts: Object.fromEntries(asked.map(([rubric, name]) => [name, verdicts[rubric] ?? null])),
    rubrics: asked.map(([, name]) => name),
    keep: context.keep,
  });
  const input = judgeInput(context, run, { meta, interception });
  const result: Partial<Record<Rubric, StoredJson>> = {};
  for (const [rubric, name] of asked) {
    result[rubric] = plan.reuse[name] ?? (await judgeOnce(context, run, name, { input, meta }));
  }
  return result;
}

/** The rubric about the whole session, intercepted or not. */
async function judgeSession(context: JudgeContext, run: JudgedRun, readable: ReadableRun): Promise<VerdictFiles> {
  if (!context.rubrics.includes('Agentic')) return {};
  const { Agentic: standing } = readable.verdicts;
  if (standing !== undefined && isSessionVerdictKept(context, readable.meta, standing)) return { Agentic: standing };
  const instruction = context.taskOf(run.case)?.instruction ?? textOf(readable.meta['instruction']);
  return { Agentic: await judgeAgentic(context, readable, instruction, context.agentic) };
}

/** A judge Job keeps an agentic verdict only if it was made with the same reference session. */
function isSessionVerdictKept({ keep, agentic }: JudgeContext, meta: StoredJson, standing: StoredJson): boolean {
  if (!isKept(standing, keep)) return false;
  const reference = referenceOf(agentic.references, meta)?.prefix ?? null;
  return typeof keep === 'string' || standing['reference'] === reference;
}

/** The intercepted request as the judge sees it. */
function judgeInput(
  context: JudgeContext,
  run: JudgedRun,
  stored: { readonly meta: StoredJson; readonly interception: StoredJson },
): UserPromptInput {
  const request = isObject(stored.interception['request']) ? stored.interception['request'] : {};
  const task = context.taskOf(run.case);
  const status = request['body_status'];
  return {
    instruction: task?.instruction ?? textOf(stored.meta['instruction']),
    request: {
      url: textOf(request['url']),
      method: textOf(request['method']),
      body: request['body'],
      bodyStatus: typeof status === 'string' ? status : undefined,
    },
    context: task?.judgeContext ?? null,
  };
}

interface Question {
  readonly input: UserPromptInput;
  readonly meta: StoredJson;
}

async function judgeOnce(
  context: JudgeContext,
  run: JudgedRun,
  rubric: PromptRubric,
  question: Question,
): Promise<StoredJson> {
  const { verdict, raw, error, votes } = await askRubric(context, rubric, question.input);
  // The next call is sent before this reply is stored: otherwise every call waits for the files of the others.
  await idleTurn();
  await saveVotes(context.store, run.prefix, votes);
  await idleTurn();
  const file = verdictFile({ rubric, verdict, judgeModel: context.model, raw, error });
  const rescored = rescoredVerdict(file, question.meta, rubric);
  await putJson(context.store, run.prefix + RUBRIC_PROMPTS[rubric].file, rescored);
  return rescored;
}

/**
 * Writes the judge fields into run-meta. Without an intercepted request there are none, unless the pass rubric is Agentic; a
 * `pass` from before `spec.judge` was changed is removed.
 */
async function updateMeta(context: JudgeContext, run: JudgedRun, meta: StoredJson, files: VerdictFiles): Promise<void> {
  const key = `${run.prefix}run-meta.json`;
  if (!isTruthy(meta['intercepted']) && context.passRubric !== 'Agentic') {
    const { pass, ...rest } = meta;
    if (pass !== undefined) await putJson(context.store, key, rest);
    return;
  }
  const strict = files.Strict ?? (await getJson(context.store, run.prefix + RUBRIC_PROMPTS.strict.file));
  const judge = strict === null ? {} : { judge: strict, judge_match: verdictMatch(strict) };
  const pass = verdictMatch(files[context.passRubric] ?? null) === true;
  await putJson(context.store, key, { ...meta, ...judge, pass });
}
