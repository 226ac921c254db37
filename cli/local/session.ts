import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SUITE_ARCHIVE } from '../../benchmark/protocol/pod-paths.ts';
import type { SessionEvent } from '../../sidecar/lifecycle/session-event.ts';
import { startBrowserProcess } from './browser-process.ts';
import { collectBundle, prepareBundleFolder } from './bundle-folder.ts';
import type { ChildProgram } from './child.ts';
import { driveByHarness, driveByPerson, type SessionEndpoints } from './driver.ts';
import { guidance } from './guidance.ts';
import { namespaceAvailable, portIsFree } from './isolation.ts';
import { checkRequiredPrograms } from './required-programs.ts';
import { networkOptions, timeLimit, type LocalOptions } from './options.ts';
import { findPrograms } from './programs.ts';
import { createSessionFolders } from './session-folders.ts';
import { readTaskArchive } from './read-task.ts';
import { startRecorderProcess } from './recorder-process.ts';
import type { SessionReport } from './report.ts';
import { sessionConfig } from './session-config.ts';
import { ensureBinary } from './static-binary.ts';

export type LocalSessionOptions = LocalOptions & { readonly task: string };

type Finished = SessionEvent & { event: 'finished' };

/** The port in the text of claw-eval's tasks. */
const ANSWER_PAGE_PORT = 7878;
const BROWSER_END_MS = 8_000;
const RECORDER_END_MS = 15_000;

/**
 * Runs one task without a cluster: the programs of the Pod as processes, stopped in the same order as in a Pod.
 * @param ended aborted to end the session from outside
 * @returns the exit code (docs/local.md)
 * @throws BadInput
 */
export async function runSession(
  options: LocalSessionOptions,
  report: SessionReport,
  ended: AbortSignal,
): Promise<number> {
  const network = networkOptions(options);
  const timeLimitSeconds = timeLimit(options);
  const task = await readTaskArchive(options.task);
  const headless = options.headless === true;
  checkRequiredPrograms(headless);
  const programs = findPrograms();
  const shim = options.harness === undefined ? null : await ensureBinary(programs.shim, 'shim');
  await ensureBinary(programs.listener, 'listener');
  const isolation = (await namespaceAvailable()) ? 'Namespace' : 'DoorOnly';
  reportReducedIsolation(isolation, report);
  const bundleFolder = await prepareBundleFolder(options.out, new Date());
  if (options.out !== undefined && bundleFolder.bundle !== resolve(options.out))
    report.note(`${options.out} is not empty, so the bundle of this session is written to ${bundleFolder.bundle}.`);
  const folders = await createSessionFolders();
  const config = sessionConfig({
    caseName: task.caseName,
    hasHarness: shim !== null,
    headless,
    record: options.record,
    isolation,
    timeLimitSeconds,
    network,
    store: bundleFolder.store,
  });
  if (config.browser?.recording === 'Video') await grabber(programs.grab, report);
  const children: ChildProgram[] = [];
  try {
    await writeFile(join(folders.suite, SUITE_ARCHIVE), task.archive);
    const events = sessionEvents(report);
    const controlPort = (await portIsFree(ANSWER_PAGE_PORT)) ? ANSWER_PAGE_PORT : 0;
    const recorder = startRecorderProcess({ programs, folders, config, controlPort, onEvent: events.take });
    children.push(recorder);
    const recording = config.browser?.recording ?? 'Video';
    children.unshift(await startBrowserProcess({ programs, folders, isolation, headless, recording }));
    const drive = driver(options, shim, folders);
    const browserPid = (): number => Number(readFileSync(join(folders.run, 'browser.pid'), 'utf8'));
    const guide = (endpoints: SessionEndpoints): string =>
      guidance({
        ...endpoints,
        instruction: task.instruction,
        limitSeconds: timeLimitSeconds ?? task.timeLimitSeconds,
        hasHarness: shim !== null,
        headless,
      });
    const finished = await follow({ events, recorder, ended, report, drive, guide, browserPid });
    await endAll(children);
    await collectBundle(bundleFolder);
    return conclude(report, finished, { ended, bundle: bundleFolder.bundle });
  } finally {
    await endAll(children);
    await folders.remove();
  }
}

/** Reports what this machine or user does not support. The bundle records it, too. */
function reportReducedIsolation(isolation: 'Namespace' | 'DoorOnly', report: SessionReport): void {
  if (isolation === 'DoorOnly')
    report.note(
      'The browser cannot get its own network namespace on this machine, so isolation is DoorOnly (docs/security.md).',
    );
  if (process.getuid?.() === 0)
    report.note('You are root, so Chromium runs without its sandbox. Open only sites that you trust (docs/local.md).');
}

function driver(options: LocalSessionOptions, shim: string | null, folders: Parameters<typeof driveByHarness>[2]) {
  return (endpoints: SessionEndpoints): Promise<void> =>
    shim === null || options.harness === undefined
      ? driveByPerson(endpoints)
      : driveByHarness(shim, options.harness, folders, endpoints);
}

/** Without this program the start script records with ffmpeg alone, which takes several times the CPU time. */
async function grabber(binary: string, report: SessionReport): Promise<void> {
  await ensureBinary(binary, 'grab').catch((error: unknown) => {
    report.note((error as Error).message);
  });
}

interface Events {
  readonly take: (event: SessionEvent) => void;
  readonly armed: Promise<SessionEvent & { event: 'armed' }>;
  readonly finished: Promise<Finished>;
}

function sessionEvents(report: SessionReport): Events {
  const armed = Promise.withResolvers<SessionEvent & { event: 'armed' }>();
  const finished = Promise.withResolvers<Finished>();
  return {
    armed: armed.promise,
    finished: finished.promise,
    take: (event) => {
      if (event.event === 'armed') armed.resolve(event);
      else if (event.event === 'finished') finished.resolve(event);
      else if (event.event === 'intercepted') report.intercepted(event.url, event.method);
      else report.blocked(event.reason, event.url);
    },
  };
}

interface Following {
  readonly events: Events;
  readonly recorder: ChildProgram;
  readonly ended: AbortSignal;
  readonly report: SessionReport;
  readonly drive: (endpoints: SessionEndpoints) => Promise<void>;
  readonly guide: (endpoints: SessionEndpoints) => string;
  /** Process id that the start script wrote; on a busy machine the browser reports its own later. */
  readonly browserPid: () => number;
}

/** Waits for the outcome; null if the recorder died without one. */
async function follow({ events, recorder, ended, report, ...session }: Following): Promise<Finished | null> {
  const end = (): void => {
    recorder.process.kill('SIGTERM');
  };
  if (ended.aborted) end();
  else ended.addEventListener('abort', end, { once: true });
  const died = recorder.exited.then(() => null);
  const first = await Promise.race([events.armed, events.finished, died]);
  if (first === null || first.event === 'finished') return first;
  const endpoints = { cdp: loopback(first.devTools), control: loopback(first.control) };
  const proxy = loopback(first.proxy ?? 0);
  report.armed({
    ...endpoints,
    proxy,
    pids: { recorder: recorder.pid, browser: first.browserPid ?? session.browserPid() },
  });
  report.note(session.guide(endpoints));
  const driving = session.drive(endpoints).catch((error: unknown) => {
    report.note(`The agent failed: ${(error as Error).message}`);
  });
  const finished = await Promise.race([events.finished, died]);
  // A finished attempt has no agent process left; if the recorder died, the shim ends them.
  await driving;
  return finished;
}

function loopback(port: number): string {
  return `http://127.0.0.1:${String(port)}`;
}

/** Ends the browser first and the recorder last, as in a Pod. Can be called twice. */
async function endAll(children: ChildProgram[]): Promise<void> {
  for (const child of children.splice(0)) {
    await child.end(child.process.spawnfile.endsWith('clawbench-browser') ? BROWSER_END_MS : RECORDER_END_MS);
  }
}

type Ending = Pick<Finished, 'outcome' | 'stopReason' | 'reason' | 'message' | 'evidence'>;

/** The outcome if the recorder reported none: it died, or the session was ended before it started. */
function endedWithout(ended: AbortSignal): Ending {
  const nothing = { stopReason: 'unknown', evidence: 'None' } as const;
  return ended.aborted
    ? {
        ...nothing,
        outcome: 'Cancelled',
        reason: 'CancelledByUser',
        message: 'The session was ended by the user before the recorder had started.',
      }
    : {
        ...nothing,
        outcome: 'Infrastructure',
        reason: 'InternalError',
        message: 'The recorder exited without reporting an outcome, which also ended the browser.',
      };
}

function conclude(
  report: SessionReport,
  finished: Finished | null,
  { ended, bundle }: { readonly ended: AbortSignal; readonly bundle: string },
): number {
  const { outcome, stopReason, reason, message, evidence } = finished ?? endedWithout(ended);
  report.finished({ outcome, stopReason, bundle, reason, message });
  return evidence === 'Complete' && outcome !== 'Infrastructure' ? 0 : 1;
}
