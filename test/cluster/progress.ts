/**
 * Progress goes to standard error, because `env` is evaluated by shells and `--json` is parsed.
 * A step prints its progress every `REPEAT_MS`; of nested steps only the innermost one does. A cold build takes 7 to 27 minutes.
 */
const REPEAT_MS = 30_000;
const WORTH_SAYING_MS = 1_000;

/** Prints one line for the person at the terminal. */
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

/** Steps that run, the innermost last. */
const running: symbol[] = [];

/**
 * Runs a step under a name; says the name at once, and the time taken when it was long.
 * @param work receives a function that sets the progress text; the last one set is printed.
 */
export async function step<T>(name: string, work: (report: (howFar: string) => void) => Promise<T>): Promise<T> {
  const start = Date.now();
  say(`· ${name}`);
  const self = Symbol(name);
  running.push(self);
  let howFar = '';
  const alive = setInterval(() => {
    if (running.at(-1) === self) say(`  … ${name}: ${elapsed(Date.now() - start)}${howFar && `, ${howFar}`}`);
  }, REPEAT_MS);
  try {
    const result = await work((words) => {
      howFar = words;
    });
    const took = Date.now() - start;
    if (took >= WORTH_SAYING_MS) say(`  ${name}: done in ${elapsed(took)}`);
    return result;
  } catch (error) {
    say(`  ${name}: failed after ${elapsed(Date.now() - start)}`);
    throw error;
  } finally {
    clearInterval(alive);
    running.splice(running.indexOf(self), 1);
  }
}
