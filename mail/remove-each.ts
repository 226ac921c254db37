/** Removes all mailboxes; throws the first failure after all have been tried. */
export async function removeEach(
  addresses: readonly string[],
  removeOne: (one: string) => Promise<void>,
): Promise<void> {
  const results = await Promise.allSettled(addresses.map(removeOne));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
