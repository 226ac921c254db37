/**
 * Progress goes to standard error, because `env` is evaluated by shells and `--json` is parsed.
 * A step that takes longer than `REPEAT_MS` says that it is alive; a cold build takes 7 to 20 minutes.
 */
const REPEAT_MS = 15_000;
const WORTH_SAYING_MS = 1_000;

/** One line for the person who waits. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** `75_000` → `1 min 15 s`. */
export function elapsed(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Runs a step under a name; says the name at once, and the time taken when it was long. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = Date.now();
  say(`· ${name}`);
  const alive = setInterval(() => {
    say(`  … ${name}: ${elapsed(Date.now() - start)}`);
  }, REPEAT_MS);
  try {
    const result = await work();
    const took = Date.now() - start;
    if (took >= WORTH_SAYING_MS) say(`  ${name}: done in ${elapsed(took)}`);
    return result;
  } catch (error) {
    say(`  ${name}: failed after ${elapsed(Date.now() - start)}`);
    throw error;
  } finally {
    clearInterval(alive);
  }
}
