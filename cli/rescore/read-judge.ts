import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { readModelsFile } from '../models/read-models.ts';

/** The judge's entry of a `models.yaml`. @throws CliFailure that names file, entry and field, never a value */
export async function readJudge(file: string, name: string): Promise<ModelEntry> {
  const models = await readModelsFile(file, '; name it with --models');
  const model = models.get(name);
  if (model === undefined) {
    const known = [...models.keys()].slice(0, 10).join(', ');
    throw new CliFailure(EXIT.usage, `${file} has no model named ${name} (it has: ${known}); name one with --judge`);
  }
  return model;
}
