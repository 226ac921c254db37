/** The limits of a memo; they are needed because pages influence the keys. */
export interface MemoLimits {
  readonly keys: number;
  /** Longer keys are computed each time. */
  readonly keyLength: number;
}

/**
 * Caches the values of a pure function. It drops everything when it is full: frequent keys are cached again at once.
 * @returns the value of a key, from `compute` when it is not cached.
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
