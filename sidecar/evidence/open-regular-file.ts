import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Opens a file of another container for reading. The harness's `/data` belongs to the agent: a link named
 * `agent-messages.jsonl` to `/proc/self/environ` would put the S3 credentials into the bundle, and reading a named pipe
 * would hang.
 * @returns null when it does not exist or is not a regular file.
 */
export async function openRegularFile(path: string): Promise<FileHandle | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path, flags).catch(() => null);
  if (!handle) return null;
  const usable = await handle.stat().then(
    (found) => found.isFile(),
    () => false,
  );
  if (usable) return handle;
  await handle.close();
  return null;
}
