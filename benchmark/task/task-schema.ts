import { z } from 'zod';

/** Upstream's JSON Schema of a task file: violations are lint errors, but such a task still runs. */
const constFilter = z.record(z.string(), z.unknown());

const TASK_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const metadata = z.looseObject({
  task_id: z.number().int(),
  metaclass: z.string(),
  class: z.string(),
  description: z.string(),
  sites_involved: z.array(z.string()),
  platform: z.string(),
  common_info: z.strictObject({ email_credentials: z.string(), user_info: z.string(), user_resume: z.string() }),
});

export const taskSchema = z.strictObject({
  $schema: z.unknown().optional(),
  instruction: z.string(),
  eval_schema: z.strictObject({
    url_pattern: z.string(),
    method: z.enum(TASK_METHODS),
    body: constFilter.optional(),
    params: constFilter.optional(),
  }),
  time_limit: z.number().min(1),
  extra_info: z.array(z.strictObject({ path: z.string(), description: z.string() })).optional(),
  judge_context: z
    .strictObject({
      rubric: z.string().optional(),
      reference_solution: z.string().optional(),
      source_task_yaml: z.string().optional(),
    })
    .optional(),
  metadata: metadata.optional(),
});
