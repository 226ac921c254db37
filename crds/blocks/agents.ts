import { z } from 'zod';
import { celRules } from '../cel.ts';
import { dataKey, envValue, freeName, imageReference, modelsSecretRef, objectName, objectRef } from '../fields.ts';

/** The models of a batch. Key and base URL stay in the Secret; only `prepare`, judge and model gateway mount it. */
export const batchModels = z
  .object({
    secretRef: modelsSecretRef
      .optional()
      .describe('Secret with the models.yaml. May be absent when no harness of the batch uses a model.'),
    names: z
      .array(freeName)
      .min(1)
      .max(64)
      .meta({ 'x-kubernetes-list-type': 'set' })
      .describe('Keys of models.yaml, globs allowed. Harnesses that use no model still carry the name in reports.'),
  })
  .describe('The models to run.');

/** The models block of a run made by hand; the one model stands in `spec.model`. */
export const runModels = z
  .object({ secretRef: modelsSecretRef.describe('Secret with the models.yaml.') })
  .describe('Where the model of spec.model is described.');

const keyOf = (kind: string): z.ZodObject<{ name: typeof objectName; key: typeof dataKey }> =>
  z.object({ name: objectName.describe(`Name of the ${kind}.`), key: dataKey.describe(`Key in the ${kind}.`) });

const envVar = z
  .object({
    name: z
      .string()
      .min(1)
      .max(253)
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
      .describe('Name of the variable.'),
    value: envValue.optional().describe('Its value.'),
    valueFrom: z
      .object({
        secretKeyRef: keyOf('Secret').optional().describe('A key of a Secret in the same namespace.'),
        configMapKeyRef: keyOf('ConfigMap').optional().describe('A key of a ConfigMap in the same namespace.'),
      })
      .optional()
      .describe('Where kubelet takes the value from; the operator never reads it.'),
  })
  .meta(
    celRules(
      {
        rule: '!(has(self.value) && has(self.valueFrom))',
        message: 'spec.harness(es).env takes value or valueFrom, not both.',
      },
      {
        rule: '!has(self.valueFrom) || has(self.valueFrom.secretKeyRef) != has(self.valueFrom.configMapKeyRef)',
        message: 'spec.harness(es).env.valueFrom takes exactly one of secretKeyRef and configMapKeyRef.',
      },
    ),
  );

/** One harness: the program that drives the browser. */
export const harness = z
  .object({
    name: z
      .string()
      .min(1)
      .max(63)
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
      .describe('Name of a known harness, or of your own together with image.'),
    image: imageReference
      .optional()
      .describe('Image with /run-harness.sh and a POSIX shell. Absent: the image of that name in the chart.'),
    references: objectRef
      .optional()
      .describe('ConfigMap with recorded actions per case, which the harness replay plays.'),
    usesModel: z
      .boolean()
      .default(false)
      .describe(
        "A harness of your own calls a model: its Pod gets the model gateway. Upstream's agents do without being asked.",
      ),
    runAsRoot: z
      .boolean()
      .default(false)
      .describe("The image must run as root, as upstream's scripts expect; the namespace has to allow it."),
    env: z
      .array(envVar)
      .max(64)
      .default([])
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
      .describe("Extra environment. The contract's own variables cannot be overridden."),
  })
  .describe('The program that drives the browser.');
export type Harness = z.infer<typeof harness>;

export const batchHarnesses = z
  .array(harness)
  .min(1)
  .max(32)
  .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
  .describe('The harnesses to run; each is combined with each model.');
