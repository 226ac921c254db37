import { startChildProgram } from './child.ts';
import type { SessionFolders } from './session-folders.ts';

/** Ports of the session, once armed. */
export interface SessionEndpoints {
  readonly cdp: string;
  readonly control: string;
}

/**
 * Nobody's harness: a person or any DevTools client drives. Somebody still has to do what the shim does: say that the
 * clock may start, wait for the end, and say that nobody is left to be stopped.
 */
export async function driveByPerson({ control }: SessionEndpoints): Promise<void> {
  await post(`${control}/api/agent/started`);
  for (;;) {
    const reply = await fetch(`${control}/api/agent/wait`);
    if (reply.status === 200) break;
    if (reply.status !== 204) throw new Error(`the recorder answered ${String(reply.status)} to a wait`);
  }
  await post(`${control}/api/agent/exited`, { exitCode: 0 });
  await post(`${control}/api/finalise`);
}

/** Runs the user's command under the shim, with a harness container's environment. Resolves when the shim is done. */
export async function driveByHarness(
  shim: string,
  command: string,
  places: SessionFolders,
  endpoints: SessionEndpoints,
): Promise<void> {
  const child = startChildProgram(shim, ['--', 'sh', '-c', command], {
    // The events have stdout for themselves.
    stdio: ['ignore', process.stderr, process.stderr],
    cwd: places.workspace,
    env: {
      ...process.env,
      CLAWBENCH_BROWSER_MODE: 'local',
      CLAWBENCH_RECORDING_MODE: 'x11',
      CLAWBENCH_BROWSER_CDP_URL: endpoints.cdp,
      CLAWBENCH_CONTROL_URL: endpoints.control,
      CLAWBENCH_DATA_DIR: places.harnessData,
      CLAWBENCH_TASK_DIR: places.task,
      CLAWBENCH_TERMINATION_LOG: `${places.terminationLog}.shim`,
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
