/** 97.5 % quantile of the normal distribution. */
const Z = 1.959963984540054;

/**
 * The 95 % Wilson interval of a proportion: the interval of every pass rate. It stays within 0…1 and is accurate for small
 * counts (2 of 20), where the normal approximation is not. Null when nothing was counted.
 */
export function wilson(successes: number, total: number): { readonly low: number; readonly high: number } | null {
  if (total <= 0) return null;
  const share = successes / total;
  const z2 = Z * Z;
  const centre = (share + z2 / (2 * total)) / (1 + z2 / total);
  const half = (Z / (1 + z2 / total)) * Math.sqrt((share * (1 - share)) / total + z2 / (4 * total * total));
  // Rounding must not move a bound past the proportion itself at 0 and 1.
  return {
    low: successes === 0 ? 0 : Math.max(0, centre - half),
    high: successes === total ? 1 : Math.min(1, centre + half),
  };
}

/** A ratio with four decimals, as in status and reports; null when the denominator is 0. */
export function ratio(numerator: number, denominator: number): number | null {
  return denominator <= 0 ? null : round4(numerator / denominator);
}

export function round4(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
