import type { Command } from 'commander';
import { stringify } from 'yaml';

export const OUTPUT_FORMATS = ['table', 'json', 'yaml'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** The value of `-o`. */
export function outputOf(program: Command): OutputFormat {
  return program.opts<{ output?: OutputFormat }>().output ?? 'table';
}

/** The result of a verb in the format of `-o`: one line of JSON, YAML, or a table. */
export function formatted(value: unknown, format: OutputFormat, table: () => string): string {
  if (format === 'json') return JSON.stringify(value);
  return format === 'yaml' ? stringify(value).trimEnd() : table();
}
