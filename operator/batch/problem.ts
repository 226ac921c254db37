import { unsupportedFields } from '../../crds/unsupported.ts';
import { harnessProblem } from '../harnesses.ts';
import type { Images } from '../images.ts';
import type { Batch } from '../kinds.ts';
import { podTemplateProblem } from '../run/pod-template.ts';

/** Why a batch cannot run as it is written, whatever its Secrets hold; one sentence that names the field. */
export function specProblem({ spec }: Pick<Batch, 'spec'>, images: Images): { reason: string; message: string } | null {
  const unsupported = unsupportedFields(spec)[0];
  if (unsupported !== undefined) return { reason: 'UnsupportedField', message: unsupported };
  for (const [index, harness] of spec.harnesses.entries()) {
    const problem = harnessProblem(harness, index, images);
    if (problem !== null) return { reason: 'HarnessRefused', message: problem };
  }
  const template = podTemplateProblem(spec.podTemplate);
  return template === null ? null : { reason: 'PodTemplateRefused', message: template };
}
