import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { classifyRun } from '../../benchmark/outcome/upstream-category.ts';
import { interceptionOnMatch, interceptionWithoutMatch } from '../../benchmark/bundle/interception-file.ts';
import { stringifyJson } from '../../benchmark/text/json.ts';
import { attemptPrefix, runPrefix } from '../../benchmark/protocol/names.ts';
import { buildRunMeta } from '../../benchmark/bundle/run-meta.ts';
import { taskFromJson, type Task } from '../../benchmark/task/task.ts';
import { summarizeUsage } from '../../benchmark/usage/summary.ts';

/** A bundle to write. `reply` is the scripted judge's answer; it is part of the intercepted URL. */
export interface BundlePlan {
  readonly place: number;
  readonly model: string;
  /** Null: nothing was intercepted. */
  readonly reply: string | null;
}

/** The folder of a run below the root. `Ours`: our layout in the store; `Upstream`: its batch's. */
export type Layout = 'Ours' | 'Upstream';

const HARNESS = 'hermes';
const RUN_UID = '5f3c2b1a-0000-4000-8000-000000000000';
const METACLASSES = ['daily-life', 'travel', 'dev-tech', 'rating-voting'];

/** Writes bundles with the product's own writers: metas, interceptions and names as the recorder makes them. */
export function writeBundles(root: string, plans: readonly BundlePlan[], layout: Layout): void {
  for (const plan of plans) {
    const folder = join(root, folderOf(plan, layout));
    mkdirSync(join(folder, 'data'), { recursive: true });
    writeFileSync(join(folder, 'run-meta.json'), stringifyJson(metaOf(plan), 2));
    writeFileSync(join(folder, 'data/interception.json'), stringifyJson(interceptionOf(plan), 2));
  }
}

function caseOf({ place }: BundlePlan): string {
  return `${String(place + 1).padStart(3, '0')}-shop-${String(place)}`;
}

function folderOf(plan: BundlePlan, layout: Layout): string {
  const { model, place } = plan;
  if (layout === 'Upstream')
    return `${model}/batch-20260520-101010/${model}/${HARNESS}-${caseOf(plan)}-${model}-20260520`;
  const run = runPrefix({ batch: 'b', place, task: caseOf(plan), model, harness: HARNESS, repetition: 1 });
  return attemptPrefix({ runPrefix: run, runUID: RUN_UID, attempt: 1 }).replace(/\/$/, '');
}

function taskOf({ place }: BundlePlan): Task {
  const metaclass = METACLASSES[place % METACLASSES.length] ?? '';
  return taskFromJson({
    instruction: `Buy ${String(place)} pieces, “not more”.`,
    eval_schema: { url_pattern: 'shop\\.test/order', method: 'POST' },
    time_limit: 30,
    metadata: { task_id: place + 1, metaclass, class: 'x', sites_involved: [`shop${String(place % 7)}.test`] },
  });
}

function metaOf(plan: BundlePlan): Record<string, unknown> {
  const intercepted = plan.reply !== null;
  const counts = { actions: 3, requests: 9, messages: 4, apiCalls: 2, recordingBytes: 700_000 };
  return buildRunMeta({
    caseName: caseOf(plan),
    task: taskOf(plan),
    taskJsonSha256: null,
    model: plan.model,
    harness: HARNESS,
    startedAt: Date.UTC(2026, 4, 20, 10),
    endedAt: Date.UTC(2026, 4, 20, 10, 7),
    classification: classifyRun({
      ...counts,
      intercepted,
      stopReason: 'agent_exited',
      recordingRequired: true,
      missingFiles: [],
      apiOrCreditEvidence: null,
      hasData: true,
    }),
    intercepted,
    metrics: {
      ...counts,
      screenshots: 5,
      stopReason: 'agent_exited',
      missingFiles: [],
      apiOrCreditEvidence: null,
      usage: { ...summarizeUsage([]) },
    },
    runtime: {},
    browserRuntime: {},
    runFlags: {},
    clawbench: { batch: 'b', repetition: 1 },
  });
}

function interceptionOf(plan: BundlePlan): unknown {
  const { evalSchema } = taskOf(plan);
  if (plan.reply === null) return interceptionWithoutMatch('agent_exited', evalSchema);
  const body = { quantity: plan.place, note: 'größer', order: { items: [{ sku: 'A-1', id: 9007199254740991 }] } };
  return interceptionOnMatch(
    {
      at: Date.UTC(2026, 4, 20, 10, 5),
      url: `https://shop.test/order?reply=${encodeURIComponent(plan.reply)}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret' },
      resourceType: 'Fetch',
      body: Buffer.from(JSON.stringify(body)),
      bodyStatus: 'complete',
      frameUrl: 'https://shop.test/',
      initiator: 'script',
    },
    evalSchema,
  );
}
