import { isObject, parseJson, stringifyJson } from '../../benchmark/json.ts';
import type { JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import { RUBRIC_PROMPTS, type RequestRubric } from '../../benchmark/judge/rubric.ts';
import { rescoredVerdict, verdictFile, verdictMatch } from '../../benchmark/judge/verdict-file.ts';
import type { JudgeInput } from '../../benchmark/judge/message.ts';
import type { Task } from '../../benchmark/task.ts';
import type { Rubric } from '../../crds/blocks/judge.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import type { Ask } from '../call/chat.ts';
import { askRubric, type Judged } from './ask-rubric.ts';

/** The API's spelling of a rubric as the benchmark's rules spell it; the others are not request rubrics. */
export const REQUEST_RUBRICS: Readonly<Partial<Record<Rubric, RequestRubric>>> = {
  Strict: 'strict',
  Lenient: 'lenient',
};

export type JsonObject = Readonly<Record<string, unknown>>;

export interface JudgeContext {
  readonly store: ObjectStore;
  readonly ask: Ask;
  /** Key in models.yaml. */
  readonly model: string;
  readonly rubrics: readonly Rubric[];
  readonly passRubric: Rubric;
  readonly taskOf: (caseName: string) => Task;
}

/** A run's verdicts by rubric, as the run's status has them. */
export type RunVerdicts = Readonly<
  Partial<Record<Rubric, { readonly match: boolean | null; readonly reason: string }>>
>;

/**
 * Judges one intercepted run: asks each rubric that has no verdict of this judge yet, keeps every vote, writes the
 * verdict files and puts upstream's judge fields into run-meta.
 * @throws ProviderError when the provider gives no reply; nothing that was written then has to be taken back.
 */
export async function judgeRun(context: JudgeContext, row: JudgeRow): Promise<RunVerdicts> {
  const { store } = context;
  const meta = (await readJson(store, `${row.prefix}run-meta.json`)) ?? {};
  const input = await judgeInput(context, row);
  const verdicts: Partial<Record<Rubric, { match: boolean | null; reason: string }>> = {};
  for (const rubric of context.rubrics) {
    const name = REQUEST_RUBRICS[rubric];
    if (name === undefined) continue;
    const file = (await standing(context, row, name)) ?? (await judgeOnce(context, row, name, { input, meta }));
    verdicts[rubric] = { match: verdictMatch(file), reason: textOf(file['reason']).slice(0, 300) };
  }
  await updateMeta(context, row, meta, verdicts);
  return verdicts;
}

/** The request that was caught, as the judge is shown it. */
async function judgeInput(context: JudgeContext, row: JudgeRow): Promise<JudgeInput> {
  const file = await readJson(context.store, `${row.prefix}data/interception.json`);
  const request = isObject(file?.['request']) ? file['request'] : {};
  const task = context.taskOf(row.case);
  const status = request['body_status'];
  return {
    instruction: task.instruction,
    request: {
      url: textOf(request['url']),
      method: textOf(request['method']),
      body: request['body'],
      bodyStatus: typeof status === 'string' ? status : undefined,
    },
    context: task.judgeContext,
  };
}

/** A verdict that stands: of the same judge, with an answer. Null verdicts are asked again. */
async function standing(context: JudgeContext, row: JudgeRow, rubric: RequestRubric): Promise<JsonObject | null> {
  const file = await readJson(context.store, row.prefix + RUBRIC_PROMPTS[rubric].file);
  if (file?.['judge_model'] !== context.model) return null;
  return verdictMatch(file) === null ? null : file;
}

interface Question {
  readonly input: JudgeInput;
  readonly meta: JsonObject;
}

async function judgeOnce(
  context: JudgeContext,
  row: JudgeRow,
  rubric: RequestRubric,
  question: Question,
): Promise<JsonObject> {
  const judged = await askRubric(context.ask, context.model, rubric, question.input);
  await keepVotes(context.store, row.prefix, judged);
  const { verdict, raw, error } = judged;
  const file = verdictFile({ rubric, verdict, judgeModel: context.model, raw, error });
  const rescored = rescoredVerdict(file, question.meta, rubric);
  await putJson(context.store, row.prefix + RUBRIC_PROMPTS[rubric].file, rescored);
  return rescored;
}

/** One object per vote, never overwritten: the key holds the time to the millisecond and the place in a series. */
async function keepVotes(store: ObjectStore, prefix: string, judged: Judged): Promise<void> {
  for (const [index, vote] of judged.votes.entries()) {
    const stamp = vote.time.replaceAll(/[-:.]/g, '');
    await store.put(`${prefix}votes/${stamp}-${vote.rubric}-${index + 1}.json`, `${stringifyJson(vote, 2)}\n`, {
      ifNoneMatch: '*',
    });
  }
}

async function updateMeta(
  context: JudgeContext,
  row: JudgeRow,
  meta: JsonObject,
  verdicts: RunVerdicts,
): Promise<void> {
  const strict = await readJson(context.store, `${row.prefix}${RUBRIC_PROMPTS.strict.file}`);
  const passed = verdicts[context.passRubric]?.match === true;
  const judge = strict === null ? {} : { judge: strict, judge_match: verdictMatch(strict) };
  await putJson(context.store, `${row.prefix}run-meta.json`, { ...meta, ...judge, pass: passed });
}

export async function readJson(store: ObjectStore, key: string): Promise<JsonObject | null> {
  const bytes = await store.get(key);
  if (bytes === null) return null;
  const parsed = parseJson(Buffer.from(bytes).toString('utf8'));
  return parsed.ok && isObject(parsed.value) ? parsed.value : null;
}

export async function putJson(store: ObjectStore, key: string, value: JsonObject): Promise<void> {
  await store.put(key, `${stringifyJson(value, 2)}\n`, { contentType: 'application/json' });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
