import { runPrefix } from '../../benchmark/protocol/names.ts';
import type { PrepareMessage } from '../../benchmark/protocol/job-messages.ts';
import { checkKey } from '../../store/key.ts';
import type { JobConfig } from '../pod/job-config.ts';
import { BatchRefusal } from './refusal.ts';

/** S3's limit, in UTF-8 bytes including the store's prefix; and our own limit for the key below it, in characters (`store/key.ts`). */
const MAX_KEY_BYTES = 1024;
const MAX_KEY = 900;
/** The most that a bundle adds to its run's prefix: attempt, folder, file name. */
const BELOW_RUN = 160;
/** The kubelet truncates a termination message here, in the middle of its JSON. */
const MAX_ANSWER_BYTES = 4096;

/** Checks that the names of the selected models fit into object keys and into the message to the operator. @throws BatchRefusal */
export function checkNames({ batch, spec }: Pick<JobConfig, 'batch' | 'spec'>, models: readonly string[]): void {
  const place = { batch, task: '', harness: 'h'.repeat(longestHarness(spec)), repetition: 1, place: 0 };
  for (const model of models) checkPrefix(runPrefix({ ...place, model }), model, spec.artifacts.s3.prefix);
  const answer: PrepareMessage = { ok: true, tasks: 1_000_000, models: [...models] };
  if (Buffer.byteLength(JSON.stringify(answer)) > MAX_ANSWER_BYTES)
    throw new BatchRefusal(
      'TooManyModels',
      `spec.models.names: the names of the ${String(models.length)} models do not fit the 4 KiB of a termination message; split the batch`,
    );
}

function longestHarness(spec: JobConfig['spec']): number {
  return Math.max(...spec.harnesses.map(({ name }) => name.length));
}

function checkPrefix(prefix: string, model: string, storePrefix: string): void {
  const shown = JSON.stringify(model.slice(0, 60));
  const bytes = Buffer.byteLength(`${storePrefix}/${prefix}`);
  if (prefix.length + BELOW_RUN > MAX_KEY)
    throw new BatchRefusal(
      'NameTooLong',
      `spec.models.names: object keys with ${shown}… would exceed ${String(MAX_KEY)} characters; shorten the model's name in models.yaml`,
    );
  if (bytes + BELOW_RUN > MAX_KEY_BYTES)
    throw new BatchRefusal(
      'NameTooLong',
      `spec.models.names: object keys with ${shown} would exceed the S3 limit of ${String(MAX_KEY_BYTES)} bytes; shorten the model's name or spec.artifacts.s3.prefix`,
    );
  try {
    checkKey(prefix);
  } catch {
    throw new BatchRefusal(
      'ModelsInvalid',
      `spec.models.names: ${shown} cannot be part of an object key; rename the model`,
    );
  }
}
