import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The command line was not understood: one sentence, the usage, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type Known<T extends ParseArgsConfig> = ReturnType<typeof parseArgs<T>>;

/**
 * Reads the arguments of a script of package.json, all of which understand `--help`.
 * @param usage what `--help` prints, and what stands below a mistake.
 * @throws UsageError
 */
export function readArguments<T extends ParseArgsConfig>(
  usage: string,
  config: T,
  args: readonly string[] = process.argv.slice(2),
): Known<T> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs({ ...config, args: [...args] }) as Known<T>;
  } catch (error) {
    throw new UsageError(`${firstSentence((error as Error).message)}\n${usage}`);
  }
}

/** Node goes on to explain how a value may begin with a hyphen. */
function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}

/** Numbers in command lines: digits, at least 1. @throws UsageError */
export function countOf(option: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`${option} ${text}: give a whole number above 0`);
}

/** Runs a script and sets the exit code. A failure is its message; what only a mistake of ours throws has its stack. */
export async function runScript(main: () => number | Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    const ours = error instanceof TypeError || error instanceof ReferenceError || !(error instanceof Error);
    console.error(ours ? error : error.message);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
