import { isObject } from './json.ts';

/** How Python writes values, where upstream's tables and prompts depend on it. */

/** `str()` of a scalar: `True`, `False`, `None`. */
export function pythonText(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? value : pythonDump(value);
}

/** `json.dumps()` with its default separators and ASCII escapes: `{"x": true, "y": [1, 2]}`. */
export function pythonDump(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonDump).join(', ')}]`;
  if (isObject(value)) {
    return `{${Object.entries(value)
      .map(([key, inner]) => `${ascii(JSON.stringify(key))}: ${pythonDump(inner)}`)
      .join(', ')}}`;
  }
  if (typeof value === 'bigint') return String(value);
  return ascii(JSON.stringify(value) ?? 'null');
}

function ascii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** `f'{value:.<digits>f}'`: a half that a double holds exactly goes to the even digit, where `toFixed` rounds it up. */
export function pythonFixed(value: number, digits: number): string {
  const scale = 10 ** digits;
  const floor = Math.floor(value * scale);
  const isTie = Number.isInteger(value * scale * 2) && (floor * 2 + 1) / (scale * 2) === value;
  return isTie && floor % 2 === 0 ? (floor / scale).toFixed(digits) : value.toFixed(digits);
}
