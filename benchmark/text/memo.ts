/** What a memo may hold: a page has a say in the keys. */
export interface MemoLimits {
  readonly keys: number;
  /** Longer keys are computed each time. */
  readonly keyLength: number;
}

/**
 * Keeps the values of a pure function, so that what comes again and again is computed once. Forgets everything when it
 * is full: what is asked for often is back at once.
 * @returns the value of a key, from `compute` when it is not known.
 */
export function createMemo<T>({ keys, keyLength }: MemoLimits): (key: string, compute: () => T) => T {
  const known = new Map<string, T>();
  return (key, compute) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = compute();
    if (key.length > keyLength) return value;
    if (known.size >= keys) known.clear();
    known.set(key, value);
    return value;
  };
}
