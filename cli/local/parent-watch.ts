import { readFileSync } from 'node:fs';

const PERIOD_MS = 250;

/**
 * Calls `onEnd` once when the parent process has exited. `npx` does not forward SIGTERM, and it may start this process
 * through a shell that outlives it. In that case, the parent of the shell is watched, too.
 */
export function watchParent(onEnd: () => void): () => void {
  const parent = process.ppid;
  const grandparent = isShellOfNpm(parent) ? parentOf(parent) : null;
  const timer = setInterval(() => {
    const alive = process.ppid === parent && (grandparent === null || parentOf(parent) === grandparent);
    if (alive) return;
    clearInterval(timer);
    onEnd();
  }, PERIOD_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

function isShellOfNpm(pid: number): boolean {
  const above = parentOf(pid);
  return above !== null && /\b(sh|dash|bash)\0-c\0/.test(commandLine(pid)) && /\bnp[mx]\b/.test(commandLine(above));
}

function commandLine(pid: number): string {
  return read(`/proc/${String(pid)}/cmdline`) ?? '';
}

function parentOf(pid: number): number | null {
  const found = /^PPid:\s*(\d+)$/m.exec(read(`/proc/${String(pid)}/status`) ?? '');
  return found === null ? null : Number(found[1]);
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
