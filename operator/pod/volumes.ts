import { MODEL_CALLS_DIR } from '../../benchmark/protocol/model-gateway.ts';
import {
  EVIDENCE_DIR,
  HARNESS_DATA_DIR,
  MAIL_SECRET_DIR,
  MY_INFO_DIR,
  RECORDING_DIR,
  RUN_DIR,
  SHIM_DIR,
  SUITE_DIR,
  TASK_DIR,
} from '../../benchmark/protocol/pod-paths.ts';
import type { Pod } from '../../kube/kinds.ts';

type PodSpec = NonNullable<Pod['spec']>;
export type Volume = NonNullable<PodSpec['volumes']>[number];
export type VolumeMount = NonNullable<PodSpec['containers'][number]['volumeMounts']>[number];

/** Where the harness finds the recorded actions. */
export const REFERENCES_DIR = '/references';

/**
 * Every volume has a size limit: a page that logs or downloads without end must end its own run, not the node. Memory
 * volumes count against the memory limit of the container that writes them.
 */
const memory = (name: string, sizeLimit: string): Volume => ({ name, emptyDir: { medium: 'Memory', sizeLimit } });
const disk = (name: string, sizeLimit: string): Volume => ({ name, emptyDir: { sizeLimit } });
const mount = (name: string, mountPath: string, readOnly = false): VolumeMount => ({
  name,
  mountPath,
  ...(readOnly ? { readOnly } : {}),
});

/** The volumes of the table in docs/protocol.md. */
export function podVolumes(names: {
  readonly suiteConfigMap: string | null;
  readonly references: string | null;
  readonly mailSecret: string | null;
}): Volume[] {
  const { suiteConfigMap, references, mailSecret } = names;
  return [
    memory('run', '16Mi'),
    disk('recording', '4Gi'),
    disk('evidence', '4Gi'),
    memory('task', '8Mi'),
    memory('my-info', '16Mi'),
    disk('harness-data', '2Gi'),
    disk('shim', '64Mi'),
    memory('shm', '512Mi'),
    disk('recorder-tmp', '1Gi'),
    disk('browser-tmp', '4Gi'),
    disk('harness-tmp', '2Gi'),
    ...(suiteConfigMap === null ? [] : [{ name: 'suite', configMap: { name: suiteConfigMap } }]),
    ...(references === null ? [] : [{ name: 'references', configMap: { name: references } }]),
    // Optional: a missing Secret becomes a message of the recorder, not a Pod that hangs without one.
    ...(mailSecret === null ? [] : [{ name: 'mail', secret: { secretName: mailSecret, optional: true } }]),
  ];
}

/** The mounts of the table in docs/protocol.md, one function per column. */
export function recorderMounts(has: { suite: boolean; mail: boolean; models: boolean }): VolumeMount[] {
  return [
    mount('run', RUN_DIR),
    mount('recording', RECORDING_DIR),
    mount('evidence', EVIDENCE_DIR),
    ...(has.suite ? [mount('suite', SUITE_DIR, true)] : []),
    ...(has.mail ? [mount('mail', MAIL_SECRET_DIR, true)] : []),
    ...(has.models ? [mount('model-calls', MODEL_CALLS_DIR, true)] : []),
    mount('task', TASK_DIR),
    mount('my-info', MY_INFO_DIR),
    mount('harness-data', HARNESS_DATA_DIR),
    mount('recorder-tmp', '/tmp'),
  ];
}

export function browserMounts(): VolumeMount[] {
  return [
    mount('run', RUN_DIR),
    mount('recording', RECORDING_DIR),
    mount('shm', '/dev/shm'),
    // DevTools reads the files to upload from the browser's own disk.
    mount('my-info', MY_INFO_DIR, true),
    mount('browser-tmp', '/tmp'),
    mount('shim', SHIM_DIR, true),
  ];
}

export function harnessMounts(references: boolean): VolumeMount[] {
  return [
    mount('task', TASK_DIR, true),
    mount('my-info', MY_INFO_DIR, true),
    mount('harness-data', '/data'),
    mount('shim', SHIM_DIR, true),
    mount('harness-tmp', '/tmp'),
    ...(references ? [mount('references', REFERENCES_DIR, true)] : []),
  ];
}
