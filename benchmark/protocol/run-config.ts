import { z } from 'zod';
import { MAIL_PROVIDERS } from '../mailbox/settings.ts';
import { gatewayCaps } from './model-gateway.ts';

/**
 * The configuration of one attempt, which the operator passes as JSON in the recorder's environment variable `CLAWBENCH_RUN`. It
 * contains no secret (many users can read a Pod's spec) and no task text (that comes with the suite, and its hash is checked).
 */

/** The gateway serves `host` from `address` (`host:port`, or `https://host:port` for unverified TLS). */
export const hostMapping = z.object({ host: z.string(), address: z.string() });

/** S3 location; credentials are passed separately as `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`. */
export const s3Location = z.object({
  endpoint: z.string().optional(),
  bucket: z.string(),
  prefix: z.string().default(''),
  region: z.string().default('us-east-1'),
  forcePathStyle: z.boolean().default(true),
});
export type S3Location = z.infer<typeof s3Location>;

/** Where evidence is stored: an S3 bucket, or a directory (local session). */
export const artifactStore = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('s3'), s3: s3Location }),
  z.object({ kind: z.literal('directory'), path: z.string() }),
]);
export type ArtifactStore = z.infer<typeof artifactStore>;

export const runDeadlines = z.object({
  /** Recorder start → armed. */
  setupSeconds: z.number().default(120),
  /** Armed → the shim reports that the agent was started. */
  agentStartSeconds: z.number().default(120),
  /** Without a new action row → `agent_idle`. */
  idleSeconds: z.number().default(300),
  /** How long recording continues after a match. */
  tailSeconds: z.number().default(2),
  /** SIGTERM → SIGKILL of the agent's process group. */
  agentKillSeconds: z.number().default(5),
  finaliseSeconds: z.number().default(60),
  uploadSeconds: z.number().default(300),
});
export type RunDeadlines = z.infer<typeof runDeadlines>;

export const runConfig = z.object({
  namespace: z.string(),
  /** Names and UIDs; for a standalone run, `batch` is the run's own name. */
  run: z.string(),
  runUID: z.string(),
  batch: z.string(),
  batchUID: z.string(),
  /** 1-based; part of every key (`a<attempt>`). */
  attempt: z.number().int().positive(),
  /** 1-based; a rerun is a new generation with a claim of its own. */
  generation: z.number().int().positive().default(1),
  /** The dataset's name (`spec.suite.name`). */
  suite: z.string(),
  /** Key of the suite's archive in the bucket of `artifacts`; null: it is mounted. */
  suiteKey: z.string().nullable().default(null),
  /** Directory or file name of the case in the suite, without `.json`. */
  caseName: z.string(),
  /** SHA-256 (hex) of the raw task file; null only in a local session. */
  taskSha256: z.string().nullable(),
  model: z.string(),
  harness: z.string(),
  harnessImage: z.string().default(''),
  /** The Pod has a model gateway: the agent starts only once it listens. */
  modelGateway: z.boolean().default(false),
  /** The run's full caps, when earlier attempts that failed for infrastructure reasons used part of them; null: nothing is used yet. */
  capsInFull: gatewayCaps.nullable().default(null),
  /** 1-based. */
  repetition: z.number().int().positive(),
  /** Key prefix of the run below the store's own prefix: `<safeModel>/batch-…/<safeModel>/<run>` (no trailing slash). */
  runPrefix: z.string(),
  artifacts: artifactStore,
  /** The longest time that written evidence exists only in the Pod. It is uploaded twice as often (`sidecar/evidence/live-upload.ts`). */
  evidenceIntervalSeconds: z.number().default(10),
  /** Overrides the task's time limit (local sessions); null: the task's own. */
  timeLimitSeconds: z.number().nullable().default(null),
  deadlines: runDeadlines.prefault({}),
  /** Whether an interception waits for a judge (`JudgePending`) or is a pass by itself. */
  judged: z.boolean().default(true),
  network: z
    .object({
      /** Private `host:port` addresses that the gateway may reach; `host` may be a name. */
      allow: z.array(z.string()).default([]),
      map: z.array(hostMapping).default([]),
    })
    .prefault({}),
  browser: z
    .object({
      viewport: z.object({ width: z.number().int(), height: z.number().int() }).default({ width: 1920, height: 1080 }),
      recording: z.enum(['Video', 'ScreenshotsOnly', 'Off']).default('Video'),
      isolation: z.enum(['Namespace', 'DoorOnly']).default('Namespace'),
    })
    .prefault({}),
  mail: z.object({ provider: z.enum(MAIL_PROVIDERS) }).default({ provider: 'None' }),
  /** Image references by container, for the manifest. */
  images: z.record(z.string(), z.string()).default({}),
});
/** See the comments of the fields; parsed once when the recorder starts. */
export type RunConfig = z.infer<typeof runConfig>;
