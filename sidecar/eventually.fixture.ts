/** Waits until a condition holds; for what happens after the answer. @throws after two seconds. */
export async function eventually(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the condition was not met within 2 s');
}
