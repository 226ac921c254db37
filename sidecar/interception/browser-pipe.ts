import { createBrowserCommands, type BrowserCommands } from './pipe/commands.ts';
import { startGuardThread, type GuardThread, type GuardThreadOptions, type ForwardedReport } from './guard-thread/start.ts';
import type { ThreadExit } from './guard-thread/reports.ts';
import { createLatch } from './latch.ts';

/** The browser's pipe as the main thread has it: commands of ours go in, what the guard's thread tells comes out. */
export interface BrowserPipe extends Pick<GuardThread, 'drain' | 'heard' | 'useTask'> {
  readonly commands: BrowserCommands;
  /** The browser has connected. */
  readonly connected: Promise<void>;
  /** Asks the browser to close and waits for its end, for so many milliseconds at most. At once when there is none. */
  closeBrowser(limitMs: number): Promise<void>;
  /** Closed on return; the browser exits by that. All that the guard had to tell is told. */
  destroy(): void;
  close(): Promise<void>;
}

export interface PipeOptions extends Omit<GuardThreadOptions, 'report' | 'left'> {
  readonly report: (report: Exclude<ForwardedReport, { kind: 'connected' | 'reply' }>) => void;
  /** The browser ended, what came is not what Chromium writes, or the guard failed. */
  readonly ended: (why: Exclude<ThreadExit, { kind: 'stopped' }>) => void;
}

/** Takes one browser. @returns once it may come. */
export async function openBrowserPipe(options: PipeOptions): Promise<BrowserPipe> {
  const connected = createLatch<void>();
  const ended = createLatch<void>();
  let state: 'waiting' | 'connected' | 'ended' = 'waiting';
  const commands = createBrowserCommands((text) => thread.write(text));
  const thread = await startGuardThread({
    ...options,
    report: (report) => {
      if (report.kind === 'reply') return commands.settle(report.reply);
      if (report.kind !== 'connected') return options.report(report);
      state = 'connected';
      connected.set();
    },
    left: (why) => {
      state = 'ended';
      commands.close('the browser is gone');
      ended.set();
      if (why.kind !== 'stopped') options.ended(why);
    },
  });
  return {
    commands,
    connected: connected.promise,
    drain: () => thread.drain(),
    heard: () => thread.heard(),
    useTask: (evalSchema) => thread.useTask(evalSchema),
    closeBrowser: async (limitMs) => {
      if (state !== 'connected') return;
      const late = new Promise((resolve) => setTimeout(resolve, limitMs).unref());
      await commands.send('Browser.close', {}, { timeoutMs: limitMs }).catch(() => undefined);
      await Promise.race([ended.promise, late]);
    },
    destroy: () => thread.stop(),
    close: () => thread.close(),
  };
}
