/** The name of the suite is invalid. */
export class SuiteNameError extends Error {
  override readonly name = 'SuiteNameError';
}

/** Checks that a ConfigMap can have the name. @throws SuiteNameError */
export function checkSuiteName(name: string): void {
  if (name.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name)) return;
  throw new SuiteNameError(
    `--name ${JSON.stringify(name.slice(0, 80))} is not a valid ConfigMap name; use lower-case letters, digits, "-" and "."`,
  );
}
