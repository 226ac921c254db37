import { fnmatch } from '../../benchmark/text/fnmatch.ts';
import { openChat } from '../../judging/call/chat.ts';
import { ProviderError } from '../../judging/call/provider-error.ts';
import { userMessage } from '../../judging/call/chat-types.ts';
import type { JobConfig } from '../pod/job-config.ts';
import { JUDGE_MODELS_DIR, MODELS_DIR, readMounted } from '../pod/secret-mount.ts';
import { ModelsFileError, parseModels, type ModelEntry } from '../../benchmark/models/models-file.ts';
import { preflight } from '../../judging/call/preflight.ts';
import { BatchRefusal } from './refusal.ts';

/** Reads a mounted models file of `field`. @throws Refusal when the Secret, its key or its content is missing or wrong. */
async function readModels(
  directory: string,
  ref: { name: string; key: string },
  field: string,
): Promise<ReadonlyMap<string, ModelEntry>> {
  const text = await readMounted(directory, ref.key);
  if (text === null) {
    throw new BatchRefusal(
      'SecretNotFound',
      `${field}: there is no Secret ${ref.name} with the key ${ref.key} in this namespace`,
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
 * The batch's models with globs resolved, sorted as upstream sorts them, each answering when a harness needs it.
 * Without a Secret the names are only names (harnesses that use no model).
 * @throws Refusal
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
        `spec.models.names: no model in Secret ${secretRef.name} is named ${pattern}`,
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
      'spec.models.secretRef is needed, since a harness of this batch calls a model',
    );
  const glob = job.spec.models.names.find((name) => /[*?[]/.test(name));
  if (glob !== undefined)
    throw new BatchRefusal(
      'ModelNotFound',
      `spec.models.names: the pattern ${glob} needs spec.models.secretRef to be resolved`,
    );
  return job.spec.models.names.toSorted();
}

/** Checks the judge's model, if there is a judge. @throws Refusal */
export async function checkJudge(job: JobConfig): Promise<void> {
  const { judge } = job.spec;
  if (judge === undefined) return;
  const models = await readModels(JUDGE_MODELS_DIR, judge.modelsSecretRef, 'spec.judge.modelsSecretRef');
  const model = models.get(judge.model);
  if (model === undefined) {
    throw new BatchRefusal(
      'ModelNotFound',
      `spec.judge.model: no model in Secret ${judge.modelsSecretRef.name} is named ${judge.model}`,
    );
  }
  await checkJudges(model);
}

async function checkAnswers(model: ModelEntry | undefined): Promise<void> {
  const found = model === undefined ? null : await preflight(model);
  // An outage that may pass refuses no batch.
  if (found?.state === 'Refused') throw refused('spec.models.names', found.problem);
}

function refused(field: string, problem: string): BatchRefusal {
  return new BatchRefusal(
    'ModelRefused',
    `${field}: ${problem}; check its key, credit, address and name in models.yaml`,
  );
}

/** The judge's model is asked as a judge asks: Gemini, for one, is reached by another path than agents use. */
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
