import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { BrowserInterception, InterceptionEvent, InterceptionOptions } from '../../../sidecar/contracts.ts';
import { startForManyTasks } from '../../../sidecar/interception/testing/start-for-many-tasks.ts';
import { ensureBinary } from '../../../cli/local/static-binary.ts';
import { LISTENER, launchChromium, type LaunchedBrowser, type LaunchOptions } from './launch-chromium.ts';

/** Interception in this process, on a real browser. */
export interface InterceptionSession {
  readonly interception: BrowserInterception;
  readonly browser: LaunchedBrowser;
  readonly runDir: string;
  /** All events so far. */
  readonly events: readonly InterceptionEvent[];
  /** The DevTools proxy. */
  readonly devToolsUrl: string;
  /** Decides by another task from the next request on, and opens again what a match closed. */
  readonly useTask: (evalSchema: unknown) => void;
  /** Reports every event so far; otherwise they are reported a quarter of a second later. */
  readonly drain: () => void;
  of<T extends InterceptionEvent['type']>(type: T): Extract<InterceptionEvent, { type: T }>[];
  /** Resolves with the first event that fits; fails after 5 s. */
  until(fits: (event: InterceptionEvent) => boolean): Promise<InterceptionEvent>;
  /** May be called again. */
  close(): Promise<void>;
}

export interface InterceptionSessionOptions {
  readonly evalSchema: unknown;
  readonly network?: Partial<InterceptionOptions['network']>;
  readonly controlPort?: number;
  readonly proxy?: boolean;
  readonly flags?: readonly string[];
  readonly trust?: readonly string[];
  /** Called last for each event; may throw. */
  readonly onEvent?: (event: InterceptionEvent) => void;
  /** Default true. */
  readonly arm?: boolean;
  /** A match is blocked (event `blocked`, `after-match`) but does not end the run, so that one browser serves many. */
  readonly keepOpen?: boolean;
  /** The messages on the browser's pipe are also written to these files. */
  readonly pipeLog?: LaunchOptions['pipeLog'];
}

export async function startInterceptionSession(options: InterceptionSessionOptions): Promise<InterceptionSession> {
  const runDir = await mkdtemp(join(tmpdir(), 'cb-int-'));
  const events: InterceptionEvent[] = [];
  const watchers = new Set<() => void>();
  const { interception, useTask, drain } = await startForManyTasks(
    {
      runDir,
      devToolsPort: 0,
      controlPort: options.controlPort ?? 7878,
      evalSchema: options.evalSchema,
      network: { allow: [], map: [], ...options.network },
      isolation: 'Namespace',
      listenerProgram: await ensureBinary(LISTENER, 'listener'),
      log: pino({ level: process.env['CLAWBENCH_TEST_LOG'] ?? 'silent' }),
      onEvent: (event) => {
        events.push(event);
        for (const look of [...watchers]) look();
        options.onEvent?.(event);
      },
    },
    { keepOpen: options.keepOpen ?? false },
  );
  const browser = launchChromium({
    runDir,
    ...(options.proxy === undefined ? {} : { proxy: options.proxy }),
    ...(options.pipeLog === undefined ? {} : { pipeLog: options.pipeLog }),
    flags: options.flags ?? [],
    trust: options.trust ?? [],
  });
  let closing: Promise<void> | null = null;
  const end = async (): Promise<void> => {
    await interception.close();
    await browser.kill();
    await rm(runDir, { recursive: true, force: true, maxRetries: 5 });
  };
  const close = (): Promise<void> => (closing ??= end());
  try {
    if (options.arm !== false) await interception.arm(AbortSignal.timeout(30_000));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    interception,
    browser,
    runDir,
    get events() {
      drain();
      return events;
    },
    useTask,
    drain,
    devToolsUrl: `http://127.0.0.1:${interception.devToolsPort}`,
    of: (type) => {
      drain();
      return events.filter((event): event is Extract<InterceptionEvent, { type: typeof type }> => event.type === type);
    },
    until: (fits) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(look);
          reject(new Error(`no such event; seen: ${events.map(({ type }) => type).join(', ')}`));
        }, 5_000);
        const look = (): void => {
          const found = events.find(fits);
          if (found === undefined) return;
          clearTimeout(timer);
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
      }),
    close,
  };
}
