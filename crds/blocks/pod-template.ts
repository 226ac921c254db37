import { z } from 'zod';
import { labelText, opaqueObject } from '../fields.ts';

/**
 * What a cluster's owner must be able to say about the Pods: scheduling, resources, runtime class, pull secrets. The
 * API server keeps it untouched; the operator merges it and refuses what it owns itself (`podTemplateRefusals`).
 */
export const podTemplate = z
  .object({
    metadata: z
      .object({
        labels: z.record(z.string(), labelText).meta({ maxProperties: 64 }).optional().describe('Labels to add.'),
        annotations: z
          .record(z.string(), z.string().max(4096))
          .meta({ maxProperties: 64 })
          .optional()
          .describe('Annotations to add.'),
      })
      .optional()
      .describe('Labels and annotations of the Pods.'),
    spec: opaqueObject
      .optional()
      .describe('Part of a PodSpec: scheduling, runtimeClassName, imagePullSecrets, resources of our containers.'),
  })
  .describe('Additions to the Pods of the runs.');
export type PodTemplate = z.infer<typeof podTemplate>;
