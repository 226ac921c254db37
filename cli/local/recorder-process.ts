import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { runConfig } from '../../benchmark/protocol/run-config.ts';
import type { SessionEvent } from '../../sidecar/lifecycle/session-event.ts';
import { startChildProgram, type ChildProgram } from './child.ts';
import type { Programs } from './programs.ts';
import type { SessionFolders } from './session-folders.ts';

export interface RecorderProcessOptions {
  readonly programs: Programs;
  readonly folders: SessionFolders;
  readonly config: z.input<typeof runConfig>;
  /** 7878 if it is free, since the text of claw-eval's tasks contains it. */
  readonly controlPort: number;
  readonly onEvent: (event: SessionEvent) => void;
}

/** Starts the recorder as in a Pod, with its paths in the session's folders. When its stdin closes, it finalises. */
export function startRecorderProcess({
  programs,
  folders,
  config,
  controlPort,
  onEvent,
}: RecorderProcessOptions): ChildProgram {
  const child = startChildProgram(programs.node, [programs.recorder], {
    stdio: ['pipe', 'inherit', 'inherit', 'pipe'],
    env: {
      ...process.env,
      CLAWBENCH_RUN: JSON.stringify(config),
      CLAWBENCH_RUN_DIR: folders.run,
      CLAWBENCH_RECORDING_DIR: folders.recording,
      CLAWBENCH_EVIDENCE_DIR: folders.evidence,
      CLAWBENCH_SUITE_DIR: folders.suite,
      CLAWBENCH_TASK_DIR: folders.task,
      CLAWBENCH_MY_INFO_DIR: folders.myInfo,
      CLAWBENCH_HARNESS_DATA_DIR: folders.harnessData,
      CLAWBENCH_TERMINATION_LOG: folders.terminationLog,
      CLAWBENCH_DEVTOOLS_PORT: '0',
      CLAWBENCH_CONTROL_PORT: String(controlPort),
      CLAWBENCH_PROGRESS_PORT: '0',
      CLAWBENCH_PROGRESS_HOST: '127.0.0.1',
      CLAWBENCH_PROXY_PORT: '0',
      CLAWBENCH_LISTENER: programs.listener,
      CLAWBENCH_LIFELINE: 'stdin',
      CLAWBENCH_EVENTS_FD: '3',
    },
  });
  createInterface({ input: child.process.stdio[3] as Readable }).on('line', (line) => {
    onEvent(JSON.parse(line) as SessionEvent);
  });
  return child;
}
