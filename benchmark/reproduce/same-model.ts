import { PUBLISHED } from './published-rows.ts';

/** Whether a run's model is the one of a published row: by one of the row's names, or that with its provider before it. */
export function isPublishedModel(row: string, model: string): boolean {
  const names = Object.keys(PUBLISHED).filter((name) => PUBLISHED[name] === PUBLISHED[row]);
  return names.some((name) => model === name || model.endsWith(`/${name}`));
}
