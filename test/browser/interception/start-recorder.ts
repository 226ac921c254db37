import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { launchChromium, type LaunchedBrowser } from './launch-chromium.ts';

/** A recorder in a separate process, which can be stopped and killed, and the Chromium that it has armed. */
export interface ArmedRecorder {
  readonly recorder: ChildProcess;
  readonly browser: LaunchedBrowser;
  /** The DevTools endpoint of the evidence session. */
  readonly endpoint: string;
  /** Ends both processes in any state. */
  readonly end: () => Promise<void>;
}

/**
 * Starts both and waits until interception is armed.
 * @param port the site that the browser may reach.
 * @param target the eval schema; absent: recorder-process.ts's own.
 */
export async function startArmedRecorder(
  port: number,
  target?: Readonly<Record<string, unknown>>,
): Promise<ArmedRecorder> {
  const runDir = await mkdtemp(join(tmpdir(), 'cb-recorder-'));
  const script = join(import.meta.dirname, 'recorder-process.ts');
  const schema = target === undefined ? [] : [JSON.stringify(target)];
  const recorder = spawn(process.execPath, [script, runDir, String(port), ...schema], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = createInterface({ input: recorder.stdout })[Symbol.asyncIterator]();
  await said.next();
  const browser = launchChromium({ runDir });
  const end = async (): Promise<void> => {
    recorder.kill('SIGKILL');
    await browser.kill();
    await rm(runDir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const armed = String((await said.next()).value);
    return { recorder, browser, endpoint: armed.replace('armed ', ''), end };
  } catch (error) {
    await end();
    throw error;
  }
}
