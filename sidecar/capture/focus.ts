/** Brings the tab of the newest action to the front, so that the recording shows it. */
export interface Focus {
  /**
   * @param hidden the tab's own document says that it is not shown: somebody else (the agent) brought another one to
   *   the front since.
   * @returns whether the target has to be activated now.
   */
  readonly wants: (targetId: string, hidden: boolean, now: number) => boolean;
}

/** Two tabs that act at once, or a window that the desktop never shows, must not make us flip without end. */
const REPEAT_MS = 1_000;

export function openFocus(): Focus {
  let last: string | null = null;
  let at = 0;
  return {
    wants: (targetId, hidden, now) => {
      const again = hidden && now - at >= REPEAT_MS;
      if (targetId === last && !again) return false;
      last = targetId;
      at = now;
      return true;
    },
  };
}
