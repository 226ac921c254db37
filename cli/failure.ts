/** Exit codes other than 0: the command failed, was used incorrectly, or could not reach the cluster or the object store. */
export const EXIT = { failed: 1, usage: 2, unreachable: 3 } as const;

/** Ends a command with a message and an exit code. */
export class CliFailure extends Error {
  readonly exitCode: number;
  constructor(exitCode: number, message: string) {
    super(message);
    this.name = 'CliFailure';
    this.exitCode = exitCode;
  }
}
