import { readFile } from 'node:fs/promises';
import { ModelsFileError, parseModels, type ModelEntry } from '../../benchmark/models/models-file.ts';
import { CliFailure, EXIT } from '../failure.ts';

/**
 * The entries of a `models.yaml` by name.
 * @param remedy appended to the message about a missing file
 * @throws CliFailure that names file, entry and field, but no value
 */
export async function readModelsFile(file: string, remedy = ''): Promise<ReadonlyMap<string, ModelEntry>> {
  const bytes = await readFile(file).catch(() => {
    throw new CliFailure(EXIT.usage, `models file ${file} does not exist${remedy}`);
  });
  try {
    return parseModels(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof ModelsFileError) throw new CliFailure(EXIT.usage, `${file}: ${error.message}`);
    if (error instanceof TypeError) throw new CliFailure(EXIT.usage, `${file} is not valid UTF-8`);
    throw error;
  }
}
