/**
 * Amounts of money without floating point: prices per token are like 0.00000015, and 0.1 + 0.2 is not 0.3. Amounts are integers
 * in units of 10^-18 USD.
 */
const DIGITS = 18;
/** Units in one USD. */
export const SCALE = 10n ** BigInt(DIGITS);

/** A non-negative decimal number (text or number, exponent allowed) in units of 10^-18, or null. Further digits are truncated. */
export function parseDecimal(value: unknown): bigint | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const found = /^\+?(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim());
  if (found === null) return null;
  const fraction = found[2] ?? '';
  const shift = DIGITS - fraction.length + Number(found[3] ?? 0);
  const digits = BigInt((found[1] ?? '') + fraction);
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}

/** Rounds to millionths, a half to the even one. */
export function roundToMicros(amount: bigint, scale: bigint): bigint {
  const unit = scale / 1_000_000n;
  const rest = amount % unit;
  const down = amount / unit;
  if (rest * 2n === unit) return down + (down % 2n);
  return rest * 2n > unit ? down + 1n : down;
}
