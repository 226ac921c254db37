import { runPrefix } from '../../benchmark/protocol/names.ts';
import type { PrepareMessage } from '../../benchmark/protocol/job-messages.ts';
import { checkKey } from '../../store/key.ts';
import type { JobConfig } from '../pod/job-config.ts';
import { BatchRefusal } from './refusal.ts';

/** S3's, in UTF-8 and with the store's prefix; and our own for what stands below it, in characters (`store/key.ts`). */
const MAX_KEY_BYTES = 1024;
const MAX_KEY = 900;
/** What a bundle adds to its run's prefix at most: attempt, folder, file name. */
const BELOW_RUN = 160;
/** Kubelet cuts a termination message there, in the middle of its JSON. */
const MAX_ANSWER_BYTES = 4096;

/** The chosen names of models fit into keys and into the answer to the operator. @throws Refusal */
export function checkNames({ batch, spec }: Pick<JobConfig, 'batch' | 'spec'>, models: readonly string[]): void {
  const place = { batch, task: '', harness: 'h'.repeat(longestHarness(spec)), repetition: 1, place: 0 };
  for (const model of models) checkPrefix(runPrefix({ ...place, model }), model, spec.artifacts.s3.prefix);
  const answer: PrepareMessage = { ok: true, tasks: 1_000_000, models: [...models] };
  if (Buffer.byteLength(JSON.stringify(answer)) > MAX_ANSWER_BYTES)
    throw new BatchRefusal(
      'TooManyModels',
      `spec.models.names: the names of the ${String(models.length)} models are longer together than the 4 KiB that a Job can answer; make several batches`,
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
      `spec.models.names: keys with ${shown}… would be longer than ${String(MAX_KEY)} characters; shorten the name in models.yaml`,
    );
  if (bytes + BELOW_RUN > MAX_KEY_BYTES)
    throw new BatchRefusal(
      'NameTooLong',
      `spec.models.names: keys with ${shown} would be longer than the ${String(MAX_KEY_BYTES)} bytes that S3 takes; shorten it or spec.artifacts.s3.prefix`,
    );
  try {
    checkKey(prefix);
  } catch {
    throw new BatchRefusal('ModelsInvalid', `spec.models.names: ${shown} cannot be a part of a key; rename the model`);
  }
}
