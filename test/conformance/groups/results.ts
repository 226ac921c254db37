/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-call -- the case files have as many shapes as groups */
import { apiCalls } from '../../../benchmark/usage/api-calls.ts';
import { apiOrCreditEvidence } from '../../../benchmark/outcome/provider-refusal-evidence.ts';
import { perTaskCsv } from '../../../benchmark/aggregate/per-task-csv.ts';
import { upstreamEvalSummary, upstreamRescoreSummary } from '../../../benchmark/aggregate/upstream-rescore.ts';
import { classifyRun, missingFiles } from '../../../benchmark/outcome/upstream-category.ts';
import { parseJson } from '../../../benchmark/text/json.ts';
import { rescorePlan } from '../../../benchmark/judge/rescore-plan.ts';
import { rescoredVerdict } from '../../../benchmark/judge/verdict-file.ts';
import { modelConfigMeta } from '../../../benchmark/bundle/model-config-meta.ts';
import type { RequestRubric } from '../../../benchmark/judge/rubrics.ts';
import { summarizeUsage } from '../../../benchmark/usage/summary.ts';
import { watchdog } from '../../../benchmark/outcome/watchdog.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { ConformanceGroup } from '../group.ts';
import { interceptedWith, runOutcome } from './run-outcome.ts';

/** Categories, effects of verdicts, roll-ups, the watchdog. */
export const RESULT_GROUPS: Readonly<Record<string, ConformanceGroup>> = {
  api_calls: ({ input }) => ({ api_calls: apiCalls(input.messages, summarizeUsage(input.usage ?? []).api_calls) }),
  classify: ({ input }) => classify(input),
  model_config_meta: ({ input }) => modelConfigMeta(input.config),
  rescore_aggregate: ({ input }) => aggregate(input),
  rescore_one: ({ input }) => rescoreOne(input),
  robustness2: ({ input }) => badActionRow(input.extra_actions_line),
  run_outcome: ({ input }) => runOutcome(input.case),
  watchdog: ({ input }) => poll(input),
};

/** Files of a case's run by the field with their content; null or absent: no file. */
const FILES: Readonly<Record<string, string>> = {
  actions: 'actions.jsonl',
  requests: 'requests.jsonl',
  messages: 'agent-messages.jsonl',
  interception: 'interception.json',
  recording_bytes: 'recording.mp4',
};
const EMPTY_RUN = {
  actions: 0,
  requests: 0,
  messages: [],
  usage: [],
  recording_bytes: 0,
  interception: null,
  logs: {},
};

function classify({ run, args }: any): unknown {
  const given = Object.fromEntries(Object.entries(run).filter(([, value]) => value !== null));
  const present = new Set(
    Object.keys(FILES)
      .filter((key) => key in given)
      .map((key) => FILES[key] as string),
  );
  const facts: any = { ...EMPTY_RUN, ...given };
  const options = { recording_required: true, intercepted: false, default_failure_category: null, ...args };
  const missing = missingFiles(present, options.recording_required);
  const calls = apiCalls(facts.messages, summarizeUsage(facts.usage).api_calls);
  const result = classifyRun({
    intercepted: options.intercepted,
    defaultCategory: options.default_failure_category,
    stopReason: facts.interception?.stop_reason ?? null,
    actions: facts.actions,
    requests: facts.requests,
    messages: facts.messages.length,
    apiCalls: calls,
    recordingBytes: facts.recording_bytes,
    recordingRequired: options.recording_required,
    missingFiles: missing,
    apiOrCreditEvidence: apiOrCreditEvidence(facts.messages, new Map(Object.entries(facts.logs))),
    hasData: facts.no_data !== true,
  });
  return { ...result, api_calls: calls, missing_files: missing };
}

function aggregate(input: any): unknown {
  const readable = input.runs.filter((run: any) => run.meta !== undefined || parseJson(run.raw_meta ?? '').ok);
  const runs = readable.map((run: any) => ({
    meta: run.meta,
    verdicts: { lenient: run.lenient ?? null, strict: run.strict ?? null },
  }));
  const given = { batchDir: '<batch_dir>', runs, rubrics: input.rubrics as RequestRubric[], judgeModel: 'jm' };
  return {
    rescore_summary: upstreamRescoreSummary(given),
    eval_summary: upstreamEvalSummary(given, 'my-model'),
    per_task_csv: perTaskCsv(given).replaceAll('\r\n', '\n'),
  };
}

function rescoreOne(input: any): unknown {
  const { run } = input;
  const rubrics: RequestRubric[] = input.rubrics ?? ['lenient'];
  const plan = rescorePlan({
    meta: run.meta ?? null,
    interception: run.intercept ?? null,
    verdicts: { lenient: run.lenient ?? null, strict: run.strict ?? null },
    rubrics,
    keep: input.force === true ? 'Nothing' : 'AnyJudge',
  });
  const reply = { match: true, reason: 'x', judge_model: 'jm', raw: 'r' };
  const fresh = Object.fromEntries(plan.ask.map((rubric) => [rubric, rescoredVerdict(reply, run.meta, rubric)]));
  const result = { ...plan.reuse, ...fresh };
  return { judge_calls: plan.ask.length, result: Object.keys(result).length === 0 ? null : result };
}

/** An intercepted run with an invalid line among its actions, which a page also passed to the binding. */
async function badActionRow(line: string): Promise<unknown> {
  const [without, withLine] = [await interceptedWith(), await interceptedWith(line)];
  const same = without['intercepted'] === true && canonicalJson(without) === canonicalJson(withLine);
  return {
    upstream_exception: withLine['exception'],
    required_of_reimplementation: same ? 'run result unaffected' : 'run result changed',
  };
}

const POLL_MS = 5000;

/** Our watchdog at the times of upstream's polls: facts are noticed at the next poll. */
function poll(input: any): unknown {
  const limit = input.time_limit_s * 1000;
  let lastActionAt: number | null = null;
  let noticed = 0;
  for (let now = POLL_MS; ; now += POLL_MS) {
    const events = input.events.filter((event: any) => event.t * 1000 <= now);
    const bytes = events
      .filter((event: any) => event.kind === 'action')
      .reduce((sum: number, event: any) => sum + Number(event.bytes), 0);
    if (bytes !== noticed) lastActionAt = now;
    noticed = bytes;
    const decision = watchdog(
      {
        startedAt: 0,
        lastActionAt,
        matched: events.some((event: any) => event.kind === 'stop'),
        agentExitedAt: events.some((event: any) => event.kind === 'exit') ? now : null,
        exitGraceMs: 0,
        timeLimitMs: limit,
        idleLimitMs: (input.idle_limit_s ?? 300) * 1000,
      },
      now,
    );
    if (decision.stop) return { stop_reason: decision.reason, stopped_at_s: now / 1000 };
  }
}
