/** Timestamps as the API has them (RFC 3339 text) and as decisions use them (milliseconds since the epoch). */

/** Milliseconds since the epoch; null for an absent or unreadable timestamp. */
export function parseTime(value: string | null | undefined): number | null {
  if (value === undefined || value === null) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : at;
}

/** RFC 3339 with milliseconds. */
export const rfc3339 = (ms: number): string => new Date(ms).toISOString();

/** The earliest of the given times, ignoring null; null when there is none. */
export function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}
