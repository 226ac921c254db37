import { z } from 'zod';
import { celRules } from '../cel.ts';
import { dataKey, envValue, freeName, imageReference, modelsSecretRef, objectName, objectRef } from '../fields.ts';

/** The models of a batch. API key and base URL stay in the Secret; only `prepare`, judge and model gateway mount it. */
export const batchModels = z
  .object({
    secretRef: modelsSecretRef
      .optional()
      .describe(
        'secretRef refers to the Secret with the models.yaml. It is optional if no harness of the batch uses a model.',
      ),
    names: z
      .array(freeName)
      .min(1)
      .max(64)
      .meta({ 'x-kubernetes-list-type': 'set' })
      .describe(
        'names lists the models to run: keys of models.yaml, or glob patterns of such keys. For a harness that uses no model, the name only appears in reports.',
      ),
  })
  .describe('models specifies the models to run.');

/** The models block of a standalone run, whose one model is in `spec.model`. */
export const runModels = z
  .object({ secretRef: modelsSecretRef.describe('secretRef refers to the Secret with the models.yaml.') })
  .describe('models specifies where the model of spec.model is configured.');

const keyOf = (kind: string): z.ZodObject<{ name: typeof objectName; key: typeof dataKey }> =>
  z.object({
    name: objectName.describe(`name is the name of the ${kind}.`),
    key: dataKey.describe(`key is the key in the data of the ${kind}.`),
  });

const envVar = z
  .object({
    name: z
      .string()
      .min(1)
      .max(253)
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
      .describe('name is the name of the environment variable.'),
    value: envValue.optional().describe('value is the value of the environment variable.'),
    valueFrom: z
      .object({
        secretKeyRef: keyOf('Secret')
          .optional()
          .describe('secretKeyRef selects a key of a Secret in the same namespace.'),
        configMapKeyRef: keyOf('ConfigMap')
          .optional()
          .describe('configMapKeyRef selects a key of a ConfigMap in the same namespace.'),
      })
      .optional()
      .describe('valueFrom is the source of the value. The kubelet resolves it; the operator never reads it.'),
  })
  .meta(
    celRules(
      {
        rule: '!(has(self.value) && has(self.valueFrom))',
        message: 'spec.harness(es).env accepts value or valueFrom, not both.',
      },
      {
        rule: '!has(self.valueFrom) || has(self.valueFrom.secretKeyRef) != has(self.valueFrom.configMapKeyRef)',
        message: 'spec.harness(es).env.valueFrom must have exactly one of secretKeyRef and configMapKeyRef.',
      },
    ),
  );

/** A harness: the program that drives the browser. */
export const harness = z
  .object({
    name: z
      .string()
      .min(1)
      .max(63)
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
      .describe('name is the name of a harness that the chart knows, or any name together with image.'),
    image: imageReference
      .optional()
      .describe(
        'image is the container image, which must have /run-harness.sh and a POSIX shell. Defaults to the image that the chart configures for this name.',
      ),
    references: objectRef
      .optional()
      .describe(
        'references refers to the ConfigMap with the recorded actions of each case, which the replay harness plays.',
      ),
    usesModel: z
      .boolean()
      .default(false)
      .describe(
        "usesModel specifies whether a custom harness calls a model, so that its Pods get the model gateway. Upstream's agents get it without this field.",
      ),
    runAsRoot: z
      .boolean()
      .default(false)
      .describe(
        "runAsRoot specifies whether the container runs as root, as some of upstream's harness scripts expect. The namespace must allow it.",
      ),
    env: z
      .array(envVar)
      .max(64)
      .default([])
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
      .describe(
        'env lists additional environment variables. The variables of the harness contract cannot be overridden.',
      ),
  })
  .describe('harness specifies the program that drives the browser.');
export type Harness = z.infer<typeof harness>;

export const batchHarnesses = z
  .array(harness)
  .min(1)
  .max(32)
  .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
  .describe('harnesses specifies the harnesses to run. Each is combined with each model.');
