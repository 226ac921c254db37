import { z } from 'zod';
import { RUBRICS, type Rubric } from '../../benchmark/judge/rubrics.ts';
import { celRules } from '../cel.ts';
import { freeName, keyPrefix, modelsSecretRef } from '../fields.ts';

const rubric = z.enum(RUBRICS);

/** How runs are judged. If omitted, an intercepted run passes, as upstream has it without a judge. */
export const judge = z
  .object({
    modelsSecretRef: modelsSecretRef.describe("modelsSecretRef refers to the Secret with the judge's models.yaml."),
    model: freeName.describe('model is the key of the judge model in that models.yaml.'),
    rubrics: z
      .array(rubric)
      .min(1)
      .max(4)
      .default(['Strict', 'Lenient'])
      .meta({ 'x-kubernetes-list-type': 'set' })
      .describe('rubrics lists the rubrics that each run is judged by. Each gives one verdict per run.'),
    passRubric: rubric
      .default('Strict')
      .describe(
        'passRubric is the rubric that decides whether a run has passed. The verdicts of the others are only reported.',
      ),
    workers: z
      .number()
      .int()
      .min(1)
      .max(64)
      .default(8)
      .describe('workers is the maximum number of runs that are judged at the same time.'),
    agentic: z
      .object({
        enabled: z
          .boolean()
          .default(false)
          .describe(
            'enabled specifies whether runs are also judged by the rubric Agentic, as if it were listed in judge.rubrics.',
          ),
        referencePrefix: keyPrefix
          .default('')
          .describe(
            'referencePrefix is the key prefix of the human reference runs in the bucket of artifacts.s3. If empty, there are no reference runs.',
          ),
      })
      .prefault({})
      .describe(
        'agentic configures the evaluator that reads all layers of evidence and compares them with a human reference run. It also judges runs without an interception.',
      ),
  })
  .meta(
    celRules({
      rule: "self.passRubric in self.rubrics || (self.passRubric == 'Agentic' && self.agentic.enabled)",
      message:
        'spec.judge.passRubric must be one of spec.judge.rubrics, or Agentic if spec.judge.agentic.enabled is true.',
    }),
  )
  .describe('judge specifies how runs are judged. If omitted, every intercepted run passes.');
export type JudgeSpec = z.infer<typeof judge>;

/** The rubrics that runs are judged by, in the order of the spec; none without a judge. */
export function askedRubrics(judge: Pick<JudgeSpec, 'rubrics' | 'agentic'> | undefined): readonly Rubric[] {
  if (judge === undefined) return [];
  const { rubrics, agentic } = judge;
  return agentic.enabled && !rubrics.includes('Agentic') ? [...rubrics, 'Agentic'] : rubrics;
}
