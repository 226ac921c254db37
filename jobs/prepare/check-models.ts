import { fnmatch } from '../../benchmark/text/fnmatch.ts';
import { openChat } from '../../judging/call/chat.ts';
import { ProviderError } from '../../judging/call/provider-error.ts';
import { userMessage } from '../../judging/call/chat-types.ts';
import type { JobConfig } from '../pod/job-config.ts';
import { JUDGE_MODELS_DIR, MODELS_DIR, readMounted } from '../pod/secret-mount.ts';
import { ModelsFileError, parseModels, type ModelEntry } from '../../benchmark/models/models-file.ts';
import { preflight } from '../../judging/call/preflight.ts';
import { BatchRefusal } from './refusal.ts';

/** Reads the mounted models file that `field` names. @throws BatchRefusal when the Secret or its key is missing, or its content is not valid. */
async function readModels(
  directory: string,
  ref: { name: string; key: string },
  field: string,
): Promise<ReadonlyMap<string, ModelEntry>> {
  const text = await readMounted(directory, ref.key);
  if (text === null) {
    throw new BatchRefusal(
      'SecretNotFound',
      `${field}: Secret ${ref.name} with key ${ref.key} not found in this namespace`,
    );
  }
  try {
    return parseModels(text);
  } catch (error) {
    if (error instanceof ModelsFileError) throw new BatchRefusal('ModelsInvalid', `${field}: ${error.message}`);
    throw error;
  }
}

/**
 * The batch's models with globs resolved, sorted as upstream sorts them. When a harness calls a model, each of them must
 * answer a test call. Without a Secret the names are only labels (for harnesses that use no model).
 * @throws BatchRefusal
 */
export async function checkModels(job: JobConfig): Promise<readonly string[]> {
  const { secretRef, names } = job.spec.models;
  if (secretRef === undefined) return namesWithoutFile(job);
  const models = await readModels(MODELS_DIR, secretRef, 'spec.models.secretRef');
  const chosen = new Set<string>();
  for (const pattern of names) {
    const matches = fnmatch(pattern);
    const found = [...models.keys()].filter((name) => name === pattern || matches(name));
    if (found.length === 0)
      throw new BatchRefusal(
        'ModelNotFound',
        `spec.models.names: Secret ${secretRef.name} has no model that matches ${pattern}`,
      );
    for (const name of found) chosen.add(name);
  }
  const sorted = [...chosen].toSorted();
  if (job.harnessUsesModel) for (const name of sorted) await checkAnswers(models.get(name));
  return sorted;
}

function namesWithoutFile(job: JobConfig): readonly string[] {
  if (job.harnessUsesModel)
    throw new BatchRefusal(
      'SecretNotFound',
      'spec.models.secretRef is required because a harness of this batch calls a model',
    );
  const glob = job.spec.models.names.find((name) => /[*?[]/.test(name));
  if (glob !== undefined)
    throw new BatchRefusal(
      'ModelNotFound',
      `spec.models.names: the pattern ${glob} cannot be resolved without spec.models.secretRef`,
    );
  return job.spec.models.names.toSorted();
}

/** Checks the judge's model, if there is a judge. @throws BatchRefusal */
export async function checkJudge(job: JobConfig): Promise<void> {
  const { judge } = job.spec;
  if (judge === undefined) return;
  const models = await readModels(JUDGE_MODELS_DIR, judge.modelsSecretRef, 'spec.judge.modelsSecretRef');
  const model = models.get(judge.model);
  if (model === undefined) {
    throw new BatchRefusal(
      'ModelNotFound',
      `spec.judge.model: Secret ${judge.modelsSecretRef.name} has no model named ${judge.model}`,
    );
  }
  await checkJudges(model);
}

async function checkAnswers(model: ModelEntry | undefined): Promise<void> {
  const found = model === undefined ? null : await preflight(model);
  // An outage may pass: it is not a reason to refuse the batch.
  if (found?.state === 'Refused') throw refused('spec.models.names', found.problem);
}

function refused(field: string, problem: string): BatchRefusal {
  return new BatchRefusal(
    'ModelRefused',
    `${field}: ${problem}; check its API key, credit, base URL and name in models.yaml`,
  );
}

/** Calls the judge's model the way a judge does: for Gemini, for example, that is another path than the one agents use. */
async function checkJudges(model: ModelEntry): Promise<void> {
  try {
    await openChat(model)({
      system: 'You are being tested for availability.',
      messages: userMessage('Answer with the word ready.'),
      maxTokens: 16,
    });
  } catch (error) {
    if (error instanceof ProviderError && error.kind !== 'Retry') {
      throw refused('spec.judge.model', error.message);
    }
    if (!(error instanceof ProviderError)) throw error;
  }
}
