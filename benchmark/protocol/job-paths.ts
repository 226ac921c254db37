/** Where `prepare` finds what the harnesses of a batch refer to, so that it can say what is missing. */

/** Values of variables: `<secret|configMap>/<name>/<key>`. Env `CLAWBENCH_HARNESS_ENV_DIR`. */
export const HARNESS_ENV_DIR = '/harness-env';
/** Recorded actions, a folder per harness by its place in `spec.harnesses`. Env `CLAWBENCH_HARNESS_REFERENCES_DIR`. */
export const HARNESS_REFERENCES_DIR = '/harness-references';

export interface EnvSource {
  readonly kind: 'secret' | 'configMap';
  readonly name: string;
  readonly key: string;
}

interface KeyRef {
  readonly name: string;
  readonly key: string;
}

/** What a variable is taken from; null when its value stands in the spec. */
export function envSource(variable: {
  readonly valueFrom?:
    { readonly secretKeyRef?: KeyRef | undefined; readonly configMapKeyRef?: KeyRef | undefined } | undefined;
}): EnvSource | null {
  const { secretKeyRef, configMapKeyRef } = variable.valueFrom ?? {};
  if (secretKeyRef !== undefined) return { kind: 'secret', ...secretKeyRef };
  return configMapKeyRef === undefined ? null : { kind: 'configMap', ...configMapKeyRef };
}

/** Path of a source below {@link HARNESS_ENV_DIR}. */
export function envFile({ kind, name, key }: EnvSource): string {
  return `${kind}/${name}/${key}`;
}
