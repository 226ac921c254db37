/**
 * A command over the browser's pipe that was not done: `refused` by the browser, `timeout`, or `closed` with the pipe.
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

/** Two browsers starting at load 19 answered after more than 5 s; a dead pipe rejects at once and needs no limit. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** What the browser says in a reply that is an error; null in any other. */
export function refusalOf(reply: Readonly<Record<string, unknown>>): string | null {
  const error = reply['error'] as { readonly message?: string } | undefined;
  return error === undefined ? null : (error.message ?? 'refused');
}
