import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folders of a session: each stands for one volume of the Pod (docs/protocol.md). */
export interface SessionFolders {
  readonly root: string;
  readonly run: string;
  readonly recording: string;
  readonly evidence: string;
  readonly suite: string;
  readonly task: string;
  /** Parent of `my-info`: the harness's working directory, so that `./my-info/` resolves. */
  readonly workspace: string;
  readonly myInfo: string;
  readonly harnessData: string;
  readonly browserTmp: string;
  readonly terminationLog: string;
  remove(): Promise<void>;
}

/** A Unix socket's path has at most 107 bytes, and ours lie two levels below the root. */
const LONGEST_ROOT = 80;

export async function createSessionFolders(): Promise<SessionFolders> {
  const base = tmpdir().length > LONGEST_ROOT - 20 ? '/tmp' : tmpdir();
  const root = await mkdtemp(join(base, 'clawbench-'));
  const dir = (name: string): string => join(root, name);
  const places = {
    root,
    run: dir('run'),
    recording: dir('recording'),
    evidence: dir('evidence'),
    suite: dir('suite'),
    task: dir('task'),
    workspace: dir('workspace'),
    myInfo: join(root, 'workspace', 'my-info'),
    harnessData: dir('harness-data'),
    browserTmp: dir('browser-tmp'),
  };
  for (const path of Object.values(places)) await mkdir(path, { recursive: true, mode: 0o700 });
  return {
    ...places,
    terminationLog: dir('outcome.json'),
    // Chromium's last helpers may still write into their profile for a moment.
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** Where our programs lie: in a checkout as sources, in an installed package as bundles. */
export interface Programs {
  readonly node: string;
  readonly recorder: string;
  readonly browser: string;
  readonly shim: string;
  readonly grab: string;
  readonly listener: string;
}

export function findPrograms(): Programs {
  const here = import.meta.dirname;
  const checkout = join(here, '..', '..');
  const fromSource = existsSync(join(checkout, 'sidecar', 'main.ts'));
  // A bundle lies in dist/, beside the other programs.
  const dist = fromSource ? join(checkout, 'dist') : here;
  return {
    node: process.execPath,
    recorder: fromSource ? join(checkout, 'sidecar', 'main.ts') : join(dist, 'recorder.js'),
    browser: fromSource
      ? join(checkout, 'images', 'browser', 'clawbench-browser')
      : join(dist, 'browser', 'clawbench-browser'),
    shim: join(dist, 'clawbench-shim'),
    grab: join(dist, 'clawbench-grab'),
    listener: join(dist, 'clawbench-listener'),
  };
}
