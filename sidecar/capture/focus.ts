/** Decides when to bring the tab of the newest action to the front, so that the recording shows it. */
export interface Focus {
  /**
   * @param hidden the tab's document reports that it is hidden: the agent has brought another tab to the front since.
   * @returns whether to activate the target now.
   */
  readonly shouldActivate: (targetId: string, hidden: boolean, now: number) => boolean;
}

/** Two tabs that act at once, or a window that the desktop never shows, must not cause endless switching. */
const REPEAT_MS = 1_000;

export function openFocus(): Focus {
  let last: string | null = null;
  let at = 0;
  return {
    shouldActivate: (targetId, hidden, now) => {
      const again = hidden && now - at >= REPEAT_MS;
      if (targetId === last && !again) return false;
      last = targetId;
      at = now;
      return true;
    },
  };
}
