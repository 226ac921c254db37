/**
 * A binding needs `Runtime.enable`, which also delivers every `console.log` of the page. A page that logs without end
 * would keep the recorder busy, and the recorder holds the paused requests. So the domain is disabled for a tab that
 * floods, and enabled again later; its actions in between are lost, and a warning says so.
 */
export interface ConsoleFlood {
  /** Counts one event of the Runtime domain in this session. @returns whether to disable the domain there now. */
  readonly count: (session: string, now: number) => boolean;
  readonly forget: (session: string) => void;
}

/** Busy single-page applications log some hundred lines a second while they load. */
const MAX_PER_SECOND = 2_000;
/** How long the domain stays disabled in a tab. */
export const FLOOD_PAUSE_MS = 5_000;

export function openConsoleFlood(): ConsoleFlood {
  const windows = new Map<string, { from: number; count: number }>();
  return {
    count: (session, now) => {
      const window = windows.get(session);
      if (window === undefined || now - window.from >= 1_000) {
        windows.set(session, { from: now, count: 1 });
        return false;
      }
      window.count += 1;
      return window.count === MAX_PER_SECOND;
    },
    forget: (session) => void windows.delete(session),
  };
}
