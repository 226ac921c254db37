/**
 * A binding needs `Runtime.enable`, and that brings every `console.log` of the page with it. A page that logs without
 * end would keep the recorder busy, and the recorder is what holds the requests. So the domain is switched off for a
 * tab that floods, and tried again later; its actions of these seconds are lost, and a warning says so.
 */
export interface ConsoleFlood {
  /** One event of the Runtime domain came from this session. @returns whether to switch the domain off there now. */
  readonly seen: (session: string, now: number) => boolean;
  readonly forget: (session: string) => void;
}

/** Busy single-page applications log some hundred lines a second while they load. */
const MOST_PER_SECOND = 2_000;
/** How long a tab stays switched off. */
export const FLOOD_PAUSE_MS = 5_000;

export function openConsoleFlood(): ConsoleFlood {
  const windows = new Map<string, { from: number; count: number }>();
  return {
    seen: (session, now) => {
      const window = windows.get(session);
      if (window === undefined || now - window.from >= 1_000) {
        windows.set(session, { from: now, count: 1 });
        return false;
      }
      window.count += 1;
      return window.count === MOST_PER_SECOND;
    },
    forget: (session) => void windows.delete(session),
  };
}
