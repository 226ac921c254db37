import { batchSpec } from './batch.ts';
import { celRules } from './cel.ts';
import type { CelRule } from './cel.ts';
import {
  BATCH_KIND,
  BATCH_PLURAL,
  BATCH_SHORT_NAME,
  CATEGORY,
  GROUP,
  MAX_BATCH_NAME,
  MAX_RUN_NAME,
  RUN_KIND,
  RUN_PLURAL,
  RUN_SHORT_NAME,
  VERSION,
} from './group.ts';
import { lower } from './lower.ts';
import type { StructuralSchema } from './lower.ts';
import { runSpec } from './run.ts';
import { batchStatus } from './status/batch-status.ts';
import { runStatus } from './status/run-status.ts';

/** A column of `kubectl get`, which prints only the first element of a list and floats unrounded, so ratios have text fields. */
interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date';
  readonly jsonPath: string;
  readonly description: string;
  /** 1: only with `-o wide`. */
  readonly priority?: 1;
}

interface Kind {
  readonly kind: string;
  readonly plural: string;
  readonly shortName: string;
  readonly description: string;
  readonly columns: readonly Column[];
  readonly schema: StructuralSchema;
}

const text = (name: string, jsonPath: string, description: string): Column => ({
  name,
  type: 'string',
  jsonPath,
  description,
});
const number = (name: string, jsonPath: string, description: string): Column => ({
  name,
  type: 'integer',
  jsonPath,
  description,
});
const wide = (column: Column): Column => ({ ...column, priority: 1 });
const AGE: Column = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'Time since creation.',
};

const nameRule = (limit: number, why: string): CelRule => ({
  rule: `self.metadata.name.size() <= ${String(limit)}`,
  message: `metadata.name must have at most ${String(limit)} characters, because ${why}.`,
});

const rootSchema = (spec: StructuralSchema, status: StructuralSchema, rule: CelRule): StructuralSchema => ({
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec,
    status: { ...status, description: 'status is the observed state, written by the operator and the judge.' },
  },
  ...celRules(rule),
});

export const BATCH: Kind = {
  kind: BATCH_KIND,
  plural: BATCH_PLURAL,
  shortName: BATCH_SHORT_NAME,
  description:
    'A ClawBenchBatch runs and judges every combination of model, harness, task and repetition. The score is in its status.',
  columns: [
    text('Phase', '.status.phase', 'Phase of the batch.'),
    text(
      'Accepted',
      '.status.conditions[?(@.type=="Accepted")].reason',
      'Prepared, or the reason why the batch is not accepted.',
    ),
    number('Done', '.status.counts.finished', 'Number of complete runs.'),
    number('Total', '.status.counts.total', 'Number of planned runs.'),
    text(
      'Intercepted',
      '.status.columns.intercepted',
      'Percentage of closed runs whose terminal request was intercepted.',
    ),
    text('Pass', '.status.columns.pass', 'Percentage of closed runs that passed according to judge.passRubric.'),
    number('Infra', '.status.counts.infrastructure', 'Number of runs that failed because of the infrastructure.'),
    text('Cost', '.status.columns.cost', 'Cost in US dollars.'),
    wide(text('Suite', '.spec.suite.name', 'Name of the dataset.')),
    wide(number('Running', '.status.counts.running', 'Number of runs whose agent is running.')),
    AGE,
  ],
  schema: rootSchema(
    lower(batchSpec, 'spec'),
    lower(batchStatus, 'status'),
    nameRule(MAX_BATCH_NAME, 'the names of its runs and Pods are derived from it'),
  ),
};

export const RUN: Kind = {
  kind: RUN_KIND,
  plural: RUN_PLURAL,
  shortName: RUN_SHORT_NAME,
  description:
    'A ClawBenchRun runs one task with one model and one harness in Pods until an attempt counts, and is then judged.',
  columns: [
    text('Task', '.status.task', 'Name of the case.'),
    text('Model', '.spec.model', 'Name of the model.'),
    text('Harness', '.spec.harness.name', 'Name of the harness.'),
    text('Phase', '.status.phase', 'Phase of the run.'),
    text('Outcome', '.status.outcome', 'Outcome of the run.'),
    number('Attempt', '.status.attempt', 'Number of the current or last attempt.'),
    text('Reason', '.status.reason', 'Reason of the outcome or of the refusal.'),
    wide(text('Cost', '.status.columns.cost', 'Cost of all attempts so far, in US dollars.')),
    wide(text('Waiting', '.status.pendingReason', 'Why the Pod has not started.')),
    AGE,
  ],
  schema: rootSchema(
    lower(runSpec, 'spec'),
    lower(runStatus, 'status'),
    nameRule(MAX_RUN_NAME, 'the names of its Pods and Jobs are derived from it and used as label values'),
  ),
};

/** The CustomResourceDefinition of a kind. */
export const customResourceDefinition = (kind: Kind): Record<string, unknown> => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: `${kind.plural}.${GROUP}`,
    // Uninstalling the chart must not delete all batches.
    annotations: { 'helm.sh/resource-policy': 'keep' },
  },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: {
      kind: kind.kind,
      listKind: `${kind.kind}List`,
      plural: kind.plural,
      singular: kind.kind.toLowerCase(),
      shortNames: [kind.shortName],
      categories: [CATEGORY],
    },
    versions: [
      {
        name: VERSION,
        served: true,
        storage: true,
        additionalPrinterColumns: kind.columns,
        schema: { openAPIV3Schema: { description: kind.description, ...kind.schema } },
        subresources: { status: {} },
      },
    ],
  },
});
