import { MAIL_SECRET_DIR, SUITE_DIR } from '../../benchmark/protocol/pod-paths.ts';
import type { Job } from '../../kube/kinds.ts';
import type { Live, New } from '../../kube/object.ts';
import type { Batch } from '../../kube/clawbench-kinds.ts';
import { commonLabels } from '../labels.ts';
import { storeEnv, type Container } from '../pod/containers.ts';

type PodSpec = NonNullable<NonNullable<Job['spec']>['template']['spec']>;
type Volume = NonNullable<PodSpec['volumes']>[number];
type Mount = NonNullable<Container['volumeMounts']>[number];

/** Something mounted into a Job's pod; always read-only. */
export interface Attachment {
  readonly volume: Volume;
  readonly mountPath: string;
}

/** The Job's only container; its termination message is what we read. */
export const JOB_CONTAINER = 'main';

export interface JobInput {
  readonly name: string;
  readonly component: 'prepare' | 'judge' | 'sweep';
  readonly batch: Live<Batch>;
  readonly image: string;
  readonly program: string;
  /** Null: the namespace's own; it is for a Job that outlives its batch. */
  readonly serviceAccount: string | null;
  /** False: it asks the API server nothing. */
  readonly needsToken?: boolean;
  readonly attachments: readonly Attachment[];
  readonly storeSecret: string | null;
  /** `prepare` must start without the Secret to be able to say that it is missing. */
  readonly secretsOptional: boolean;
  /** For the program itself; waiting for its pod has its own limit. */
  readonly limitSeconds: number;
  /** Facts beyond the batch's identity and judge; the rest of its spec the Job reads itself (128 KiB per variable). */
  readonly config?: Record<string, unknown>;
  readonly annotations?: Record<string, string>;
  /** Of its own; by default none. */
  readonly retries?: number;
}

/**
 * A Job of one pod that says in its termination message how it went. Commonly without retries of its own
 * (`backoffLimit: 0`): the operator starts the next with a back-off, since it alone sees why the last one failed.
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

/** Where the batch's pods may run, its Jobs may run too. */
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

/** The suite's archive, if it lies in a ConfigMap. */
export function suiteAttachment(batch: Live<Batch>, optional: boolean): Attachment[] {
  const name = batch.spec.suite.configMapRef?.name;
  if (name === undefined) return [];
  return [{ volume: { name: 'suite', configMap: { name, optional } }, mountPath: SUITE_DIR }];
}

/** The mail Secret, where a provider needs one. */
export function mailAttachment({ spec }: Live<Batch>): Attachment[] {
  const { provider, secretRef } = spec.mail;
  if (provider === 'None' || secretRef === undefined) return [];
  return [
    { volume: { name: 'mail', secret: { secretName: secretRef.name, optional: true } }, mountPath: MAIL_SECRET_DIR },
  ];
}

/** A Secret with a `models.yaml`; the file has the key's name. */
export function modelsAttachment(volume: string, ref: { name: string } | undefined, mountPath: string): Attachment[] {
  if (ref === undefined) return [];
  return [{ volume: { name: volume, secret: { secretName: ref.name, optional: true } }, mountPath }];
}
