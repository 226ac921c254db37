/** Where the Secrets and ConfigMaps that the harnesses of a batch use are mounted in `prepare`, so that it can check them. */

/** Values of variables: `<secret|configMap>/<name>/<key>`. Env `CLAWBENCH_HARNESS_ENV_DIR`. */
export const HARNESS_ENV_DIR = '/harness-env';
/** Recorded actions, one folder per harness, named by its index in `spec.harnesses`. Env `CLAWBENCH_HARNESS_REFERENCES_DIR`. */
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

/** The source of a variable; null when its value is in the spec. */
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
