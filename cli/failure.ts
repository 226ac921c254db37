/** Exit codes beside 0: it failed; it was not understood; the cluster cannot be reached. */
export const EXIT = { failed: 1, usage: 2, unreachable: 3 } as const;

/** A verb ends with one sentence and this exit code. */
export class CliFailure extends Error {
  readonly exitCode: number;
  constructor(exitCode: number, message: string) {
    super(message);
    this.name = 'CliFailure';
    this.exitCode = exitCode;
  }
}
