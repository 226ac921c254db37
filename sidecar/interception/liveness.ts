/**
 * Notices a browser that is there and does not answer. Time is counted in ticks, not in milliseconds: when it was this
 * process that stood still (SIGSTOP, a long garbage collection), one late tick passes, and the replies that wait in the
 * pipe are read before the next.
 */
export interface Liveness {
  start(): void;
  stop(): void;
}

export interface LivenessOptions {
  /** Asks the browser for any reply; must not throw. */
  readonly ping: () => void;
  readonly dead: () => void;
  /** Another number whenever something has come from the browser. */
  readonly heard: () => number;
  readonly tickMs: number;
  /** Ticks without a byte after which the browser counts as gone. */
  readonly ticks: number;
}

export function watchLiveness(options: LivenessOptions): Liveness {
  let silent = 0;
  let known = NaN;
  let timer: NodeJS.Timeout | undefined;
  const tick = (): void => {
    const heard = options.heard();
    silent = heard === known ? silent + 1 : 1;
    known = heard;
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
