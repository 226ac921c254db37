import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { readModelsFile } from '../models/read-models.ts';

/** The judge's entry in a `models.yaml`. @throws CliFailure that names file, entry and field, but no value */
export async function readJudge(file: string, name: string): Promise<ModelEntry> {
  const models = await readModelsFile(file, '; use --models to specify another file');
  const model = models.get(name);
  if (model === undefined) {
    const known = [...models.keys()].slice(0, 10).join(', ');
    throw new CliFailure(EXIT.usage, `${file} has no model named ${name}; use --judge with one of ${known}`);
  }
  return model;
}
