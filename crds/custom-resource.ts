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

/** A column of `kubectl get`. Lists print their first element and floats print raw, so ratios have text fields. */
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
  description: 'Since creation.',
};

const nameRule = (limit: number, why: string): CelRule => ({
  rule: `self.metadata.name.size() <= ${String(limit)}`,
  message: `metadata.name must have at most ${String(limit)} characters, since ${why}.`,
});

const rootSchema = (spec: StructuralSchema, status: StructuralSchema, rule: CelRule): StructuralSchema => ({
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec,
    status: { ...status, description: 'What the operator and the judge saw.' },
  },
  ...celRules(rule),
});

export const BATCH: Kind = {
  kind: BATCH_KIND,
  plural: BATCH_PLURAL,
  shortName: BATCH_SHORT_NAME,
  description: 'Models × harnesses × tasks × repetitions, run and judged; the score is in the status.',
  columns: [
    text('Phase', '.status.phase', 'Where the batch is.'),
    text('Accepted', '.status.conditions[?(@.type=="Accepted")].reason', 'Prepared, or why it is not accepted.'),
    number('Done', '.status.counts.finished', 'Complete runs.'),
    number('Total', '.status.counts.total', 'Planned runs.'),
    text('Intercepted', '.status.columns.intercepted', 'Share of closed runs whose request was caught.'),
    text('Pass', '.status.columns.pass', 'Share of closed runs that passed by judge.passRubric.'),
    number('Infra', '.status.counts.infrastructure', 'Runs lost to infrastructure.'),
    text('Cost', '.status.columns.cost', 'US dollars.'),
    wide(text('Suite', '.spec.suite.name', 'The dataset.')),
    wide(number('Running', '.status.counts.running', 'Runs with an agent at work.')),
    AGE,
  ],
  schema: rootSchema(
    lower(batchSpec, 'spec'),
    lower(batchStatus, 'status'),
    nameRule(MAX_BATCH_NAME, 'the names of its runs and Pods are made from it'),
  ),
};

export const RUN: Kind = {
  kind: RUN_KIND,
  plural: RUN_PLURAL,
  shortName: RUN_SHORT_NAME,
  description: 'One task, one model, one harness: run in Pods until an attempt counts, then judged.',
  columns: [
    text('Task', '.status.task', 'The case.'),
    text('Model', '.spec.model', 'The model.'),
    text('Harness', '.spec.harness.name', 'The harness.'),
    text('Phase', '.status.phase', 'Where the run is.'),
    text('Outcome', '.status.outcome', 'The class it ended in.'),
    number('Attempt', '.status.attempt', 'Current or last attempt.'),
    text('Reason', '.status.reason', 'Why it ended so, or was refused, in one word.'),
    wide(text('Cost', '.status.columns.cost', 'US dollars so far, all attempts together.')),
    wide(text('Waiting', '.status.pendingReason', 'Why the Pod does not start.')),
    AGE,
  ],
  schema: rootSchema(
    lower(runSpec, 'spec'),
    lower(runStatus, 'status'),
    nameRule(MAX_RUN_NAME, 'the names of its Pods and Jobs are made from it and are label values'),
  ),
};

/** The CustomResourceDefinition of a kind, as the API server takes it. */
export const customResourceDefinition = (kind: Kind): Record<string, unknown> => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: `${kind.plural}.${GROUP}`,
    // Uninstalling the chart must not delete everybody's batches.
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
