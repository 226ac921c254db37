/**
 * The unbiased estimate of pass@k: of `n` repetitions of a task, `c` passed; the probability that at least one of `k` drawn
 * without replacement passed is 1 - C(n-c, k) / C(n, k). (The first k runs are noisier, 1-(1-c/n)^k is biased.)
 */
export function passAtK(n: number, c: number, k: number): number {
  if (n - c < k) return 1;
  let allFail = 1;
  for (let i = 0; i < k; i++) allFail *= (n - c - i) / (n - i);
  return 1 - allFail;
}

/** The repetitions of one task by one model and harness. */
export interface TaskRepetitions {
  readonly runs: number;
  readonly passed: number;
}

const SHOWN = [1, 2, 3, 4, 5, 10, 20, 50, 100];

/**
 * The mean over tasks, for the usual k up to the number of repetitions; a task with fewer runs than k is excluded from that k.
 * Keys are k as text.
 */
export function meanPassAtK(tasks: readonly TaskRepetitions[]): Record<string, number> {
  const most = Math.max(0, ...tasks.map((task) => task.runs));
  const result: Record<string, number> = {};
  for (const k of [...new Set([...SHOWN, most])].filter((one) => one >= 1 && one <= most).sort((a, b) => a - b)) {
    const enough = tasks.filter((task) => task.runs >= k);
    const sum = enough.reduce((all, task) => all + passAtK(task.runs, task.passed, k), 0);
    result[String(k)] = Math.round((sum / enough.length) * 1e4) / 1e4;
  }
  return result;
}
