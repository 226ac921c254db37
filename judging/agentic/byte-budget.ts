/** Lets work begin in its order while what it holds fits together. */
export interface ByteBudget {
  /** Runs the work once its bytes fit; work larger than the gate runs alone. */
  hold<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

/**
 * A gate for memory. Evidence is kept while its session is judged, which takes minutes, and sessions differ a
 * hundredfold: a number of sessions would be too many of the large or too few of the small.
 * @param most bytes held at a time.
 */
export function createByteBudget(most: number): ByteBudget {
  const waiting: { readonly bytes: number; readonly begin: () => void }[] = [];
  let held = 0;
  let active = 0;
  const admit = (): void => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (active > 0 && held + next.bytes > most) return;
      waiting.shift();
      active += 1;
      held += next.bytes;
      next.begin();
    }
  };
  return {
    hold: async (bytes, work) => {
      await new Promise<void>((begin) => {
        waiting.push({ bytes, begin });
        admit();
      });
      try {
        return await work();
      } finally {
        active -= 1;
        held -= bytes;
        admit();
      }
    },
  };
}
