/**
 * A command over the browser's pipe that was not executed: `refused` by the browser, `timeout`, or `closed` with the pipe.
 */
export class CommandError extends Error {
  readonly kind: 'refused' | 'timeout' | 'closed';
  readonly method: string;
  constructor(kind: 'refused' | 'timeout' | 'closed', method: string, detail: string) {
    super(`${method}: ${detail}`);
    this.name = 'CommandError';
    this.kind = kind;
    this.method = method;
  }
}

/** Two browsers that started at load 19 answered after more than 5 s; a dead pipe rejects at once and needs no timeout. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** The message of a reply that is an error; null for any other reply. */
export function refusalOf(reply: Readonly<Record<string, unknown>>): string | null {
  const error = reply['error'] as { readonly message?: string } | undefined;
  return error === undefined ? null : (error.message ?? 'refused');
}
