/** When to look again: the first of these moments (epoch ms) that is one; null when there is none. */
export function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}
