import type { Command } from 'commander';
import { stringify } from 'yaml';

export const OUTPUT_FORMATS = ['table', 'json', 'yaml'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** What `-o` says. */
export function outputOf(program: Command): OutputFormat {
  return program.opts<{ output?: OutputFormat }>().output ?? 'table';
}

/** A verb's result as `-o` asks for it: one line of JSON, YAML, or what people read. */
export function formatted(value: unknown, format: OutputFormat, table: () => string): string {
  if (format === 'json') return JSON.stringify(value);
  return format === 'yaml' ? stringify(value).trimEnd() : table();
}
