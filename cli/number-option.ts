import { InvalidArgumentError } from 'commander';

/** Parser of an integer option: digits only. `Number` would accept '', '1e3' and '0x10', and 0 workers never finish. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => within(/^\d+$/, text, { least, most, what: 'whole number' });
}

/** Parser of a number option with decimals. */
export function decimalNumber(least: number, most: number): (text: string) => number {
  return (text) => within(/^\d+(\.\d+)?$/, text, { least, most, what: 'number' });
}

function within(form: RegExp, text: string, range: { least: number; most: number; what: string }): number {
  const { least, most, what } = range;
  const value = Number(text);
  if (form.test(text) && value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It must be a ${what} from ${String(least)} to ${String(most)}.`);
}
