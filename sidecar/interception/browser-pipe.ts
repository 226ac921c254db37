import type { ThreadExit } from './guard-thread/reports.ts';
import {
  startGuardThread,
  type ForwardedReport,
  type GuardThread,
  type GuardThreadOptions,
} from './guard-thread/start.ts';
import { createLatch } from './latch.ts';
import { createBrowserCommands, type BrowserCommands } from './pipe/commands.ts';

/** The browser's pipe as the main thread has it: its own commands go in, the guard's reports come out. */
export interface BrowserPipe extends Pick<GuardThread, 'drain' | 'readCount'> {
  readonly commands: BrowserCommands;
  /** Resolves when the browser has connected. */
  readonly connected: Promise<void>;
  /** Asks the browser to close and waits until it has exited, for `limitMs` at most. Returns at once without a browser. */
  closeBrowser(limitMs: number): Promise<void>;
  /** The pipe is closed on return, which makes the browser exit; everything that the guard had sent is reported. */
  destroy(): void;
  close(): Promise<void>;
}

export interface BrowserPipeOptions extends Omit<GuardThreadOptions, 'report' | 'exited'> {
  readonly report: (report: Exclude<ForwardedReport, { kind: 'connected' | 'reply' }>) => void;
  /** Called when the browser exited, the pipe became unreadable, or the guard failed. */
  readonly ended: (exit: Exclude<ThreadExit, { kind: 'stopped' }>) => void;
}

/** Serves one browser. @returns once it may connect. */
export async function openBrowserPipe(options: BrowserPipeOptions): Promise<BrowserPipe> {
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
    exited: (exit) => {
      state = 'ended';
      commands.close('the browser is gone');
      ended.set();
      if (exit.kind !== 'stopped') options.ended(exit);
    },
  });
  return {
    commands,
    connected: connected.promise,
    drain: () => thread.drain(),
    readCount: () => thread.readCount(),
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
