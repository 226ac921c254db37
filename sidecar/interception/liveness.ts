/**
 * Notices a browser that is connected but does not answer. Time is counted in ticks, not in milliseconds: when this
 * process itself stood still (SIGSTOP, a long garbage collection), one late tick passes, and the replies that wait in
 * the pipe are read before the next.
 */
export interface Liveness {
  start(): void;
  stop(): void;
}

export interface LivenessOptions {
  /** Asks the browser for any reply; must not throw. */
  readonly ping: () => void;
  readonly dead: () => void;
  /** A number that changes whenever the browser has written something. */
  readonly readCount: () => number;
  readonly tickMs: number;
  /** The browser counts as dead after this many ticks without a byte. */
  readonly ticks: number;
}

export function watchLiveness(options: LivenessOptions): Liveness {
  let silent = 0;
  let known = NaN;
  let timer: NodeJS.Timeout | undefined;
  const tick = (): void => {
    const count = options.readCount();
    silent = count === known ? silent + 1 : 1;
    known = count;
    if (silent > options.ticks) {
      clearInterval(timer);
      options.dead();
      return;
    }
    if (silent % 2 === 1) options.ping();
  };
  return {
    start: () => {
      silent = 0;
      timer ??= setInterval(tick, options.tickMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
