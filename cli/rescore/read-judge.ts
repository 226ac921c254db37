import { readFile } from 'node:fs/promises';
import { ModelsFileError, parseModels, type ModelEntry } from '../../benchmark/models-file.ts';
import { CliFailure, EXIT } from '../failure.ts';

/** The judge's entry of a `models.yaml`. @throws CliFailure that names file, entry and field, never a value */
export async function readJudge(file: string, name: string): Promise<ModelEntry> {
  const bytes = await readFile(file).catch(() => {
    throw new CliFailure(EXIT.usage, `there is no models file at ${file}; name it with --models`);
  });
  const models = parse(file, bytes);
  const model = models.get(name);
  if (model === undefined) {
    const known = [...models.keys()].slice(0, 10).join(', ');
    throw new CliFailure(EXIT.usage, `${file} has no model named ${name} (it has: ${known}); name one with --judge`);
  }
  return model;
}

function parse(file: string, bytes: Uint8Array): ReadonlyMap<string, ModelEntry> {
  try {
    return parseModels(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof ModelsFileError) throw new CliFailure(EXIT.usage, `${file}: ${error.message}`);
    if (error instanceof TypeError) throw new CliFailure(EXIT.usage, `${file} is not valid UTF-8`);
    throw error;
  }
}
