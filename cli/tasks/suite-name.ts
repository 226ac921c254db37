/** The suite cannot be called so; one sentence. */
export class SuiteNameError extends Error {
  override readonly name = 'SuiteNameError';
}

/** A suite is a ConfigMap of its name. @throws SuiteNameError */
export function checkSuiteName(name: string): void {
  if (name.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name)) return;
  throw new SuiteNameError(
    `--name ${JSON.stringify(name.slice(0, 80))} cannot name a ConfigMap; use lower-case letters, digits, "-" and "."`,
  );
}
