/**
 * Order of a batch's runs: tasks outside, models (by name) inside, so that neighbours hit different providers;
 * then harnesses as given, then repetitions.
 * @param models names, patterns already resolved.
 */
export function jobOrder<T>(
  tasks: readonly T[],
  models: readonly string[],
  harnesses: readonly string[],
  repetitions: number,
): {
  readonly task: T;
  readonly place: number;
  readonly model: string;
  readonly harness: string;
  readonly repetition: number;
}[] {
  const sorted = [...models].sort();
  return tasks.flatMap((task, place) =>
    Array.from({ length: repetitions }, (_, index) => index + 1).flatMap((repetition) =>
      sorted.flatMap((model) => harnesses.map((harness) => ({ task, place, model, harness, repetition }))),
    ),
  );
}
