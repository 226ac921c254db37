/**
 * Waits for a turn of the event loop, for work that is not urgent. One waiter runs per turn, so that between two of them
 * replies are read and the next calls sent. All waiters in one turn would delay 32 calls for as long as 32 files take.
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
