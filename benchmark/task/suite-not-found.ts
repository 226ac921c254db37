import { SUITE_ARCHIVE } from '../protocol/pod-paths.ts';

/** Why `Accepted` is False with reason `SuiteNotFound`, for a batch and for a run made by hand; no full stop. */
export function suiteNotFound(name: string, namespace: string): string {
  return `spec.suite.configMapRef: there is no ConfigMap ${name} with ${SUITE_ARCHIVE} in its binaryData in namespace ${namespace}; make it with "clawbench tasks push"`;
}
