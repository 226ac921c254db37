/* eslint-disable @typescript-eslint/no-explicit-any -- the case files have as many shapes as groups */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parseJson } from '../../benchmark/text/json.ts';

/** A case of a conformance file. */
export interface ConformanceCase {
  readonly id: string;
  readonly group: string;
  /** Parsed without loss: one expected integer exceeds 2^53. */
  readonly input: any;
  readonly expected: any;
  /** Set where we may deliberately differ from upstream; a string is the reason. */
  readonly quirk: boolean | string;
}

/** Every case of every `*.json` file in a directory, in the order of the file names. Throws when a file is not a case file. */
export function readCases(directory: string): ConformanceCase[] {
  const names = readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort();
  if (names.length === 0) throw new Error(`${directory} contains no case files (*.json)`);
  return names.flatMap((name) => casesOf(readFileSync(join(directory, name), 'utf8'), name));
}

function casesOf(text: string, name: string): ConformanceCase[] {
  const parsed = parseJson(text);
  if (!parsed.ok || !isObject(parsed.value) || !Array.isArray(parsed.value['cases'])) {
    throw new Error(`${name} is not a case file: expected {"group": …, "cases": […]}`);
  }
  const group = textOr(parsed.value['group'], name.replace(/\.json$/, ''));
  return (parsed.value['cases'] as unknown[]).filter(isObject).map((one) => ({
    id: textOr(one['id'], '(no id)'),
    group: textOr(one['group'], group),
    input: one['input'],
    expected: one['expected'],
    quirk: typeof one['upstream_quirk'] === 'string' ? one['upstream_quirk'] : one['upstream_quirk'] === true,
  }));
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
