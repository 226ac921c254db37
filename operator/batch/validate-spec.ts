import { unsupportedFields } from '../../crds/unsupported.ts';
import type { Batch } from '../../kube/clawbench-kinds.ts';
import type { Images } from '../config.ts';
import { validateHarness, usesModel } from '../harnesses.ts';
import { namesMutableField } from '../immutable-field.ts';
import { validatePodTemplate } from '../pod/user-pod-template.ts';

/** Why a spec is not accepted: the condition's reason, and one sentence that names the field. */
export interface SpecProblem {
  readonly reason: string;
  readonly message: string;
}

/** The rest of a recorder's configuration contains only names and prefixes: a few kilobytes. */
const MAX_NETWORK_BYTES = 100_000;

/**
 * Why a batch cannot run as specified, whatever its Secrets contain; one sentence that names the field.
 * @param fieldOf the path of the harness with this index.
 */
export function validateBatchSpec(
  { spec }: Pick<Batch, 'spec'>,
  images: Images,
  fieldOf: (index: number) => string = (index) => `spec.harnesses[${String(index)}]`,
): SpecProblem | null {
  const unsupported = unsupportedFields(spec)[0];
  if (unsupported !== undefined) return { reason: 'UnsupportedField', message: unsupported };
  for (const [index, harness] of spec.harnesses.entries()) {
    const problem = validateHarness(harness, fieldOf(index), images);
    if (problem !== null) return { reason: 'HarnessRefused', message: problem };
    if (usesModel(harness) && spec.models.secretRef === undefined) {
      const message = `${fieldOf(index)} ${harness.name} calls a model; set spec.models.secretRef.`;
      return { reason: 'SecretNotFound', message };
    }
  }
  if (Buffer.byteLength(JSON.stringify(spec.network)) > MAX_NETWORK_BYTES) {
    const message = `spec.network is larger than ${String(MAX_NETWORK_BYTES)} bytes; each recorder gets it in an environment variable, which holds 128 KiB. Shorten spec.network.allow and spec.network.map.`;
    return { reason: 'NetworkTooLarge', message };
  }
  const template = validatePodTemplate(spec.podTemplate);
  return template === null ? null : { reason: 'PodTemplateRefused', message: template };
}

/**
 * The same for a batch that has started. It was accepted before, perhaps by an earlier operator, so only what may have
 * changed since can be wrong.
 */
export function validateChangedFields({ spec }: Pick<Batch, 'spec'>): SpecProblem | null {
  const unsupported = unsupportedFields(spec).find((message) => namesMutableField(message, 'batch'));
  return unsupported === undefined ? null : { reason: 'UnsupportedField', message: unsupported };
}
