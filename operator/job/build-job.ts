import { MAIL_SECRET_DIR, SUITE_DIR } from '../../benchmark/protocol/pod-paths.ts';
import type { Batch } from '../../kube/clawbench-kinds.ts';
import type { Job } from '../../kube/kinds.ts';
import type { Live, New } from '../../kube/object.ts';
import { commonLabels } from '../labels.ts';
import { storeEnv, type Container } from '../pod/containers.ts';

type PodSpec = NonNullable<NonNullable<Job['spec']>['template']['spec']>;
type Volume = NonNullable<PodSpec['volumes']>[number];
type Mount = NonNullable<Container['volumeMounts']>[number];

/** A volume mounted into a Job's pod, always read-only. */
export interface Attachment {
  readonly volume: Volume;
  readonly mountPath: string;
}

/** The Job's only container. The operator reads its termination message. */
export const JOB_CONTAINER = 'main';

export interface JobInput {
  readonly name: string;
  readonly component: 'prepare' | 'judge' | 'sweep';
  readonly batch: Live<Batch>;
  readonly image: string;
  readonly program: string;
  /** Null: the namespace's default, for a Job that outlives its batch. */
  readonly serviceAccount: string | null;
  /** False: it does not call the API server. */
  readonly needsToken?: boolean;
  readonly attachments: readonly Attachment[];
  readonly storeSecret: string | null;
  /** `prepare` must start even without the Secret, to be able to report that it is missing. */
  readonly secretsOptional: boolean;
  /** For the program itself. Waiting for its pod to start has a limit of its own. */
  readonly limitSeconds: number;
  /**
   * Settings beyond the batch's identity and judge. The Job reads the rest of the spec itself (a variable holds 128
   * KiB).
   */
  readonly config?: Record<string, unknown>;
  readonly annotations?: Record<string, string>;
  /** Retries by the Job controller; none by default. */
  readonly retries?: number;
}

/**
 * A Job with one pod that reports its result in its termination message. Normally without retries of its own
 * (`backoffLimit: 0`): the operator starts the next Job after a back-off, because only it sees why the last one failed.
 */
export function buildJob(input: JobInput): New<Job> {
  const { batch, component } = input;
  const labels = commonLabels(component, batch.metadata.name);
  return {
    metadata: {
      name: input.name,
      namespace: batch.metadata.namespace ?? '',
      labels,
      ...(input.annotations === undefined ? {} : { annotations: input.annotations }),
    },
    spec: {
      backoffLimit: input.retries ?? 0,
      activeDeadlineSeconds: batch.spec.deadlines.pendingSeconds + input.limitSeconds,
      ttlSecondsAfterFinished: 86_400,
      template: {
        metadata: { labels },
        spec: {
          ...scheduling(batch),
          restartPolicy: 'Never',
          ...(input.serviceAccount === null ? {} : { serviceAccountName: input.serviceAccount }),
          automountServiceAccountToken: input.needsToken ?? true,
          enableServiceLinks: false,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 1000,
            runAsGroup: 1000,
            fsGroup: 1000,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          containers: [jobContainer(input)],
          volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '1Gi' } }, ...input.attachments.map((one) => one.volume)],
        },
      },
    },
  };
}

function jobContainer(input: JobInput): Container {
  const { batch } = input;
  const config = {
    namespace: batch.metadata.namespace,
    kind: batch.kind,
    batch: batch.metadata.name,
    batchUID: batch.metadata.uid,
    judge: batch.spec.judge,
    ...input.config,
  };
  const mounts = input.attachments.map((one): Mount => ({
    name: one.volume.name,
    mountPath: one.mountPath,
    readOnly: true,
  }));
  return {
    name: JOB_CONTAINER,
    image: input.image,
    command: ['node', `/app/${input.program}`],
    env: [
      { name: 'CLAWBENCH_JOB', value: JSON.stringify(config) },
      ...storeEnv(input.storeSecret, input.secretsOptional),
    ],
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true },
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '1Gi' } },
    volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }, ...mounts],
  };
}

/** A batch's Jobs may run where its pods may run. */
function scheduling(batch: Live<Batch>): Partial<PodSpec> {
  const wanted = [
    'nodeSelector',
    'tolerations',
    'affinity',
    'priorityClassName',
    'imagePullSecrets',
    'dnsPolicy',
    'dnsConfig',
    'hostAliases',
  ];
  const template = batch.spec.podTemplate.spec ?? {};
  return Object.fromEntries(Object.entries(template).filter(([key]) => wanted.includes(key)));
}

/** The suite's archive, if it is in a ConfigMap. */
export function suiteAttachment(batch: Live<Batch>, optional: boolean): Attachment[] {
  const name = batch.spec.suite.configMapRef?.name;
  if (name === undefined) return [];
  return [{ volume: { name: 'suite', configMap: { name, optional } }, mountPath: SUITE_DIR }];
}

/** The mail Secret, if the provider needs one. */
export function mailAttachment({ spec }: Live<Batch>): Attachment[] {
  const { provider, secretRef } = spec.mail;
  if (provider === 'None' || secretRef === undefined) return [];
  return [
    { volume: { name: 'mail', secret: { secretName: secretRef.name, optional: true } }, mountPath: MAIL_SECRET_DIR },
  ];
}

/** A Secret with a `models.yaml`. The file is named after the key. */
export function modelsAttachment(volume: string, ref: { name: string } | undefined, mountPath: string): Attachment[] {
  if (ref === undefined) return [];
  return [{ volume: { name: volume, secret: { secretName: ref.name, optional: true } }, mountPath }];
}
