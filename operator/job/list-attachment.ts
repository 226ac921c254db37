import { packParts, partName } from '../../benchmark/protocol/row-list.ts';
import type { Attachment } from './build-job.ts';

export const LIST_VOLUME = 'list';

/**
 * A Job's work list: one ConfigMap, or the parts of one that is too large, all in `/list`.
 * @param name of the first ConfigMap; the others' are made from it.
 * @param file name of the first part's file.
 */
export function listAttachment(name: string, file: string, rows: readonly unknown[]): Attachment {
  const names = packParts(file, rows).map((_, index) => partName(name, index + 1));
  const sources = names.map((one) => ({ configMap: { name: one } }));
  const source = names.length === 1 ? { configMap: { name } } : { projected: { sources } };
  return { volume: { name: LIST_VOLUME, ...source }, mountPath: '/list' };
}
