import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RUN_FILES } from '../../../benchmark/protocol/pod-paths.ts';

/**
 * Starts the browser as the Pod does (docs/protocol.md, "Start of the browser"), in few lines: its own network namespace,
 * the proxy's listener lent, DevTools forwarded, Chromium's pipe connected to the recorder's. The image's own start script
 * is tested beside it.
 */
export interface LaunchedBrowser {
  readonly process: ChildProcess;
  /** Sends SIGKILL to every process that was started. */
  kill(): Promise<void>;
}

export interface LaunchOptions {
  readonly runDir: string;
  /** `false`: without a proxy, to test that arming refuses such a browser. */
  readonly proxy?: boolean;
  readonly flags?: readonly string[];
  /** Hashes of further keys whose certificates the browser accepts. */
  readonly trust?: readonly string[];
  /**
   * Two files that receive the messages on the browser's pipe, of the recorder (`PATH.said`) and of the browser
   * (`PATH.heard`): JSON, each terminated by a NUL.
   */
  readonly pipeLog?: string;
}

export const CHROMIUM = process.env['CLAWBENCH_CHROMIUM'] ?? '/usr/lib/chromium/chromium';
/** Built by the test that starts the recorder, which needs it first. */
export const LISTENER = join(import.meta.dirname, '..', '..', '..', 'dist', 'clawbench-listener');
const IMAGE = join(import.meta.dirname, '..', '..', '..', 'images', 'browser');

export function launchChromium(options: LaunchOptions): LaunchedBrowser {
  const { runDir } = options;
  const profile = mkdtempSync(join(runDir, 'profile-'));
  execFileSync(join(IMAGE, 'clawbench-profile'), [profile]);
  const spki = readFileSync(join(runDir, 'ca.spki'), 'utf8');
  const flags = [
    ...shippedFlags().filter((flag) => options.proxy !== false || !flag.startsWith('--proxy')),
    '--headless=new',
    '--no-sandbox',
    '--remote-debugging-port=9222',
    `--ignore-certificate-errors-spki-list=${[spki, ...(options.trust ?? [])].join(',')}`,
    `--user-data-dir=${profile}`,
    ...(options.proxy === false ? [] : ['--proxy-server=127.0.0.1:18080']),
    ...(options.flags ?? []),
    'about:blank',
  ];
  const [events, commands] = [join(runDir, RUN_FILES.pipeEvents), join(runDir, RUN_FILES.pipeCommands)];
  const redirected = options.pipeLog === undefined ? `4>${events} 3<${commands}` : '3<&0 4>&1';
  const chromium = join(runDir, 'chromium.sh');
  writeFileSync(
    chromium,
    `#!/bin/sh\nexec ${[CHROMIUM, ...flags].map(quoted).join(' ')} ${redirected} >/dev/null 2>${runDir}/chromium.log\n`,
    { mode: 0o755 },
  );
  const script = [
    quoted(join(IMAGE, 'clawbench-network')),
    `${quoted(LISTENER)} lend 127.0.0.1:18080 ${runDir}/listener.sock`,
    `socat UNIX-LISTEN:${runDir}/cdp.sock,fork TCP:127.0.0.1:9222,retry=50,interval=0.1 &`,
    // socat can only log when it stays between the two.
    ...(options.pipeLog === undefined
      ? [`exec ${chromium}`]
      : [
          `exec 4>${events} 3<${commands}`,
          `exec socat -r ${quoted(`${options.pipeLog}.heard`)} -R ${quoted(`${options.pipeLog}.said`)} EXEC:${chromium} 'FD:3!!FD:4'`,
        ]),
  ].join('\n');
  const child = spawn('unshare', ['-n', 'sh', '-c', script], { stdio: 'ignore', detached: true });
  return {
    process: child,
    kill: async () => {
      const ended = child.exitCode !== null || child.signalCode !== null ? null : once(child, 'exit');
      killGroup(child.pid);
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The image's own flags, so that the test uses what is shipped. */
function shippedFlags(): string[] {
  const lines = readFileSync(join(IMAGE, 'chromium-flags'), 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('--'));
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
