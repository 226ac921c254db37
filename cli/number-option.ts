import { InvalidArgumentError } from 'commander';

/** Parser of an option that counts: digits only. `Number` would take '', '1e3' and '0x10', and 0 workers never end. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => within(/^\d+$/, text, { least, most, what: 'whole number' });
}

/** The same for an amount with decimals. */
export function decimalNumber(least: number, most: number): (text: string) => number {
  return (text) => within(/^\d+(\.\d+)?$/, text, { least, most, what: 'number' });
}

function within(form: RegExp, text: string, range: { least: number; most: number; what: string }): number {
  const { least, most, what } = range;
  const value = Number(text);
  if (form.test(text) && value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It is a ${what} from ${String(least)} to ${String(most)}.`);
}
