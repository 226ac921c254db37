import type { ReproducedRow } from './compare-rows.ts';

/** A published row of the V2 leaderboard (harness hermes), in percent. These are figures of the public leaderboard, not ours. */
export interface PublishedRow extends ReproducedRow {
  readonly runs: number;
}

const row = (intercepted: number, lenient: number, strict: number, runs = 130): PublishedRow => ({
  intercepted,
  lenient,
  strict,
  runs,
});

const FLASH = row(3.1, 2.3, 0, 129);
const AIR = row(4.6, 2.3, 0.8);

/** Published rows by the name in upstream's own reproduction; two have a second name. */
export const PUBLISHED: Readonly<Record<string, PublishedRow>> = {
  'claude-opus-4-7': row(54.6, 44.6, 24.6),
  'gpt-5.5': row(45.4, 35.4, 18.5),
  'glm-5.1': row(48.5, 34.6, 17.7),
  'deepseek-v4-pro': row(43.9, 33.9, 12.3),
  'openrouter-owl-alpha': row(14.6, 0, 0),
  'z-ai/glm-4.5-air:free': AIR,
  'glm-4.5-air': AIR,
  'deepseek-v4-flash:free': FLASH,
  'deepseek-v4-flash': FLASH,
  'minimax-m2.5:free': row(2.3, 1.5, 0),
};

/** Directory of a published model's bundles in upstream's data set of traces. */
export function reproduceSlug(model: string): string {
  return model.replaceAll('/', '_').replaceAll(':', '-');
}

/** Whether a run's model is that of a published row: one of the row's names, or such a name prefixed with a provider. */
export function isPublishedModel(row: string, model: string): boolean {
  const names = Object.keys(PUBLISHED).filter((name) => PUBLISHED[name] === PUBLISHED[row]);
  return names.some((name) => model === name || model.endsWith(`/${name}`));
}
