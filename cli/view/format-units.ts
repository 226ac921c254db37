/** `3 min 05 s`, `35 s`; a dash if unknown. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null || seconds < 0) return '–';
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** `1.2 MB`. */
export function formatBytes(count: number): string {
  if (count < 1000) return `${count} B`;
  return count < 1e6 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}

/** `$0.0123`; a dash if unknown. */
export function formatCost(usd: number | null): string {
  return usd === null ? '–' : `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

/** UTC to the second. @param at milliseconds in the range of a Date */
export function formatUtc(at: number | null): string {
  return at === null ? '–' : new Date(at).toISOString().replace('T', ' ').replace(/\..*$/, ' UTC');
}
