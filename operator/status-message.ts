/**
 * A message for a condition, an event or `pendingReason`: one line of at most 300 characters that ends like a sentence,
 * because they are read in narrow tables.
 */
export function statusMessage(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const cut = line.length > 300 ? `${line.slice(0, 297)}…` : line;
  return /[.!?…]$/.test(cut) ? cut : `${cut}.`;
}
