import { startChildProgram } from './child.ts';
import type { SessionFolders } from './session-folders.ts';

/** URLs of an armed session. */
export interface SessionEndpoints {
  readonly cdp: string;
  readonly control: string;
}

/**
 * Without a harness, a person or any DevTools client drives the browser. This does what the shim does otherwise: it
 * reports that the agent has started, waits for the stop, and reports that the agent has exited.
 */
export async function driveByPerson({ control }: SessionEndpoints): Promise<void> {
  await post(`${control}/api/agent/started`);
  for (;;) {
    const reply = await fetch(`${control}/api/agent/wait`);
    if (reply.status === 200) break;
    if (reply.status !== 204)
      throw new Error(`the recorder answered GET /api/agent/wait with status ${String(reply.status)}`);
  }
  await post(`${control}/api/agent/exited`, { exitCode: 0 });
  await post(`${control}/api/finalise`);
}

/** Runs the user's command under the shim, with the environment of a harness container. Resolves when the shim exits. */
export async function driveByHarness(
  shim: string,
  command: string,
  folders: SessionFolders,
  endpoints: SessionEndpoints,
): Promise<void> {
  const child = startChildProgram(shim, ['--', 'sh', '-c', command], {
    // stdout is reserved for the events.
    stdio: ['ignore', process.stderr, process.stderr],
    cwd: folders.workspace,
    env: {
      ...process.env,
      CLAWBENCH_BROWSER_MODE: 'local',
      CLAWBENCH_RECORDING_MODE: 'x11',
      CLAWBENCH_BROWSER_CDP_URL: endpoints.cdp,
      CLAWBENCH_CONTROL_URL: endpoints.control,
      CLAWBENCH_DATA_DIR: folders.harnessData,
      CLAWBENCH_TASK_DIR: folders.task,
      CLAWBENCH_TERMINATION_LOG: `${folders.terminationLog}.shim`,
      CLAWBENCH_RECORDER_LOST: '5s',
    },
  });
  await child.exited;
}

async function post(url: string, body?: unknown): Promise<void> {
  const json =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  await (await fetch(url, { method: 'POST', ...json })).arrayBuffer();
}
