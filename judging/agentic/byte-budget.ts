/** Admits work in order while its memory fits into a budget. */
export interface ByteBudget {
  /** Runs the work once its bytes fit; work larger than the budget runs alone. */
  hold<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

/**
 * A budget for memory. Evidence stays in memory while its session is judged, which takes minutes, and sessions differ in
 * size a hundredfold: a fixed number of sessions would be too many large ones or too few small ones.
 * @param most bytes in memory at a time.
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
