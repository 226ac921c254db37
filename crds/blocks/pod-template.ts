import { z } from 'zod';
import { labelText, opaqueObject } from '../fields.ts';

/**
 * What cluster administrators must be able to set in the Pods: scheduling, resources, runtime class, pull secrets. The
 * API server stores it as it is; the operator merges it and refuses fields that it sets itself (`podTemplateRefusals`).
 */
export const podTemplate = z
  .object({
    metadata: z
      .object({
        labels: z
          .record(z.string(), labelText)
          .meta({ maxProperties: 64 })
          .optional()
          .describe('labels lists labels to add to the Pods.'),
        annotations: z
          .record(z.string(), z.string().max(4096))
          .meta({ maxProperties: 64 })
          .optional()
          .describe('annotations lists annotations to add to the Pods.'),
      })
      .optional()
      .describe('metadata specifies labels and annotations of the Pods.'),
    spec: opaqueObject
      .optional()
      .describe(
        'spec is a partial PodSpec: scheduling, runtimeClassName, imagePullSecrets and the resources of the containers.',
      ),
  })
  .describe('podTemplate specifies additions to the Pods of the runs.');
export type PodTemplate = z.infer<typeof podTemplate>;
