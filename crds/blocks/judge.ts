import { z } from 'zod';
import { RUBRICS, type Rubric } from '../../benchmark/judge/rubrics.ts';
import { celRules } from '../cel.ts';
import { freeName, keyPrefix, modelsSecretRef } from '../fields.ts';

const rubric = z.enum(RUBRICS);

/** How runs are judged. Left out: an interception is a pass by itself, as upstream without a judge. */
export const judge = z
  .object({
    modelsSecretRef: modelsSecretRef.describe("Secret with the judge's models.yaml."),
    model: freeName.describe('Key in that models.yaml.'),
    rubrics: z
      .array(rubric)
      .min(1)
      .max(4)
      .default(['Strict', 'Lenient'])
      .meta({ 'x-kubernetes-list-type': 'set' })
      .describe('The rubrics to ask, each one vote per run.'),
    passRubric: rubric.default('Strict').describe('The rubric that decides Passed; the others are reported beside it.'),
    workers: z.number().int().min(1).max(64).default(8).describe('Runs judged at a time.'),
    agentic: z
      .object({
        enabled: z.boolean().default(false).describe('Ask the rubric Agentic too, as if it stood in judge.rubrics.'),
        referencePrefix: keyPrefix
          .default('')
          .describe(
            'Key prefix in the bucket of artifacts.s3 below which the human reference runs lie. Empty: there are none.',
          ),
      })
      .prefault({})
      .describe(
        'The evaluator that reads all evidence layers, also without an interception, beside a human reference.',
      ),
  })
  .meta(
    celRules({
      rule: "self.passRubric in self.rubrics || (self.passRubric == 'Agentic' && self.agentic.enabled)",
      message: 'spec.judge.passRubric must be one of spec.judge.rubrics, or Agentic with spec.judge.agentic.enabled.',
    }),
  )
  .describe('How runs are judged. Absent: intercepted means passed.');
export type JudgeSpec = z.infer<typeof judge>;

/** The rubrics that a judge is asked, in the order of the spec; none without a judge. */
export function askedRubrics(judge: Pick<JudgeSpec, 'rubrics' | 'agentic'> | undefined): readonly Rubric[] {
  if (judge === undefined) return [];
  const { rubrics, agentic } = judge;
  return agentic.enabled && !rubrics.includes('Agentic') ? [...rubrics, 'Agentic'] : rubrics;
}
