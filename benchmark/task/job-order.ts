/** One run of a batch by what makes it: task, repetition, model and harness. */
export interface OrderedJob<Task, Harness> {
  readonly task: Task;
  /** 0-based index of the task in the given list. */
  readonly taskIndex: number;
  /** 1-based. */
  readonly repetition: number;
  readonly model: string;
  readonly harness: Harness;
}

/**
 * Tasks × repetitions × models × harnesses, in the order in which they start. Upstream's order is tasks first, then models
 * by name, so that neighbours call different providers. It has no repetitions; ours come before the models for the same
 * reason: with repetitions last, the first runs of a batch would all call one provider.
 * @param models names, patterns already resolved.
 */
export function jobOrder<Task, Harness>(
  tasks: readonly Task[],
  models: readonly string[],
  harnesses: readonly Harness[],
  repetitions: number,
): OrderedJob<Task, Harness>[] {
  const byName = [...models].sort();
  return tasks.flatMap((task, taskIndex) =>
    Array.from({ length: repetitions }, (_, index) => index + 1).flatMap((repetition) =>
      byName.flatMap((model) => harnesses.map((harness) => ({ task, taskIndex, repetition, model, harness }))),
    ),
  );
}
