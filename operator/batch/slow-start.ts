/**
 * Calls `work` for each item in waves of 1, 2, 4, … items, and stops after a wave with a failure: a quota or a webhook
 * that rejects the first object rejects all, and must be asked once and not ten thousand times.
 * @returns how many succeeded.
 * @throws the first failure.
 */
export async function slowStart<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  largest = 16,
): Promise<number> {
  let size = 1;
  for (let at = 0; at < items.length;) {
    const wave = items.slice(at, at + size);
    const results = await Promise.allSettled(wave.map(work));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    at += wave.length;
    size = Math.min(largest, size * 2);
  }
  return items.length;
}
