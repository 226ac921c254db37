/** At most one screenshot per 500 ms over all tabs, measured from the last screenshot request, as upstream does. */
const SCREENSHOT_GAP_MS = 500;

/**
 * Whether an action at `now` gets a screenshot.
 * @param last time of the last screenshot request, same clock; null: none yet.
 */
export function screenshotDue(last: number | null, now: number): boolean {
  return last === null || now - last >= SCREENSHOT_GAP_MS;
}
