/**
 * A turn of the event loop for work that can wait: one waiter per turn, so that between any two the answers that came in
 * are read and their next questions sent. All waiters in one turn would hold 32 calls for as long as 32 files take.
 */
export function idleTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });
}

const waiting: (() => void)[] = [];

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}
