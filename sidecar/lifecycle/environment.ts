import { z } from 'zod';
import { issueSentence } from '../../benchmark/text/issue-sentence.ts';
import {
  EVIDENCE_DIR,
  HARNESS_DATA_DIR,
  MAIL_SECRET_DIR,
  MY_INFO_DIR,
  PORTS,
  RECORDING_DIR,
  RUN_DIR,
  SUITE_DIR,
  TASK_DIR,
} from '../../benchmark/protocol/pod-paths.ts';
import { MODEL_CALLS_DIR } from '../../benchmark/protocol/model-gateway.ts';
import { runConfig, type RunConfig } from '../../benchmark/protocol/run-config.ts';
import { knownSecrets } from './known-secrets.ts';

/** Folders, ports and programs of a recorder. The defaults are the Pod's; a local session sets its own. */
export interface RecorderEnvironment {
  readonly run: RunConfig;
  readonly dirs: {
    readonly run: string;
    readonly recording: string;
    readonly evidence: string;
    readonly suite: string;
    readonly task: string;
    readonly myInfo: string;
    readonly harnessData: string;
    /** Written by the model gateway; absent without one. */
    readonly modelCalls: string;
    /** The mail Secret. */
    readonly mailSecret: string;
  };
  readonly ports: { readonly devTools: number; readonly control: number; readonly progress: number };
  /** Bind address of `/progress`, the only port that listens beyond loopback in a Pod. */
  readonly progressHost: string;
  /** Undefined: the egress gateway listens on its socket only. */
  readonly proxyPort: number | undefined;
  /** The program that accepts the browser's listening socket (images/listener). */
  readonly listenerProgram: string;
  readonly terminationLog: string;
  /** Started by a command that holds stdin: if it closes stdin or sends a signal, its user wants to stop, and there is time to finish. */
  readonly local: boolean;
  /** Values that no artifact may contain. */
  readonly secrets: readonly string[];
}

/** In the recorder's image. */
const LISTENER_PROGRAM = '/app/clawbench-listener';

/** The configuration cannot be used; the message names the field. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

const portNumber = z.coerce.number().int().min(0).max(65535);

/** @throws ConfigError */
export function readEnvironment(env: Variables): RecorderEnvironment {
  return {
    run: readRun(env['CLAWBENCH_RUN']),
    dirs: readDirs(env),
    ports: {
      devTools: readPort(env, 'CLAWBENCH_DEVTOOLS_PORT', PORTS.devTools),
      control: controlPort(env),
      progress: readPort(env, 'CLAWBENCH_PROGRESS_PORT', PORTS.progress),
    },
    progressHost: env['CLAWBENCH_PROGRESS_HOST'] ?? '0.0.0.0',
    proxyPort: env['CLAWBENCH_PROXY_PORT'] === undefined ? undefined : readPort(env, 'CLAWBENCH_PROXY_PORT', 0),
    listenerProgram: env['CLAWBENCH_LISTENER'] ?? LISTENER_PROGRAM,
    terminationLog: env['CLAWBENCH_TERMINATION_LOG'] ?? '/dev/termination-log',
    local: env['CLAWBENCH_LIFELINE'] === 'stdin',
    secrets: knownSecrets(env),
  };
}

function readDirs(env: Variables): RecorderEnvironment['dirs'] {
  return {
    run: env['CLAWBENCH_RUN_DIR'] ?? RUN_DIR,
    recording: env['CLAWBENCH_RECORDING_DIR'] ?? RECORDING_DIR,
    evidence: env['CLAWBENCH_EVIDENCE_DIR'] ?? EVIDENCE_DIR,
    suite: env['CLAWBENCH_SUITE_DIR'] ?? SUITE_DIR,
    task: env['CLAWBENCH_TASK_DIR'] ?? TASK_DIR,
    myInfo: env['CLAWBENCH_MY_INFO_DIR'] ?? MY_INFO_DIR,
    harnessData: env['CLAWBENCH_HARNESS_DATA_DIR'] ?? HARNESS_DATA_DIR,
    modelCalls: env['CLAWBENCH_MODEL_CALLS_DIR'] ?? MODEL_CALLS_DIR,
    mailSecret: env['CLAWBENCH_MAIL_SECRET_DIR'] ?? MAIL_SECRET_DIR,
  };
}

/** @throws ConfigError */
function controlPort(env: Variables): number {
  return readPort(env, 'CLAWBENCH_CONTROL_PORT', PORTS.control);
}

function readRun(text: string | undefined): RunConfig {
  if (text === undefined) throw new ConfigError('CLAWBENCH_RUN is not set; set it to the run configuration as JSON.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConfigError('CLAWBENCH_RUN is not valid JSON.');
  }
  const parsed = runConfig.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ConfigError(
    `CLAWBENCH_RUN: ${issue === undefined ? 'is not valid' : issueSentence(issue, value, 'the run')}`,
  );
}

function readPort(env: Variables, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined) return fallback;
  const parsed = portNumber.safeParse(text);
  if (!parsed.success) throw new ConfigError(`${name} is not a valid port: ${text}`);
  return parsed.data;
}
