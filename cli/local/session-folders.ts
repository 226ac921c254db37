import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folders of a session. Each replaces a volume of the Pod (docs/protocol.md). */
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

/** The path of a Unix socket has at most 107 bytes, and the sockets are two levels below the root. */
const LONGEST_ROOT = 80;

export async function createSessionFolders(): Promise<SessionFolders> {
  const base = tmpdir().length > LONGEST_ROOT - 20 ? '/tmp' : tmpdir();
  const root = await mkdtemp(join(base, 'clawbench-'));
  const dir = (name: string): string => join(root, name);
  const folders = {
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
  for (const path of Object.values(folders)) await mkdir(path, { recursive: true, mode: 0o700 });
  return {
    ...folders,
    terminationLog: dir('outcome.json'),
    // Chromium's helper processes may write to their profile for another moment.
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
