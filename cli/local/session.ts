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
import { findPrograms, createSessionFolders } from './session-folders.ts';
import { readTaskArchive } from './read-task.ts';
import { startRecorderProcess } from './recorder-process.ts';
import type { SessionReport } from './report.ts';
import { sessionConfig } from './session-config.ts';
import { ensureBinary } from './static-binary.ts';

export type LocalSessionOptions = LocalOptions & { readonly task: string };

type Finished = SessionEvent & { event: 'finished' };

/** The port that stands in the text of claw-eval's tasks. */
const ANSWER_PAGE_PORT = 7878;
const BROWSER_END_MS = 8_000;
const RECORDER_END_MS = 15_000;

/**
 * One task without a cluster: the Pod's programs as processes, ended as a Pod ends.
 * @param ended aborted when the session is to be ended from outside.
 * @returns the exit code (docs/local.md).
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
  tellLosses(isolation, report);
  const place = await prepareBundleFolder(options.out, new Date());
  if (options.out !== undefined && place.bundle !== resolve(options.out))
    report.note(`${options.out} holds something already: this session's bundle goes to ${place.bundle}`);
  const places = await createSessionFolders();
  const config = sessionConfig({
    caseName: task.caseName,
    hasHarness: shim !== null,
    headless,
    record: options.record,
    isolation,
    timeLimitSeconds,
    network,
    store: place.store,
  });
  if (config.browser?.recording === 'Video') await grabber(programs.grab, report);
  const children: ChildProgram[] = [];
  try {
    await writeFile(join(places.suite, SUITE_ARCHIVE), task.archive);
    const events = sessionEvents(report);
    const controlPort = (await portIsFree(ANSWER_PAGE_PORT)) ? ANSWER_PAGE_PORT : 0;
    const recorder = startRecorderProcess({ programs, places, config, controlPort, onEvent: events.take });
    children.push(recorder);
    const recording = config.browser?.recording ?? 'Video';
    children.unshift(await startBrowserProcess({ programs, places, isolation, headless, recording }));
    const drive = driver(options, shim, places);
    const browserPid = (): number => Number(readFileSync(join(places.run, 'browser.pid'), 'utf8'));
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
    await collectBundle(place);
    return conclude(report, finished, { ended, bundle: place.bundle });
  } finally {
    await endAll(children);
    await places.remove();
  }
}

/** What this machine or user cannot give; the run says so too. */
function tellLosses(isolation: 'Namespace' | 'DoorOnly', report: SessionReport): void {
  if (isolation === 'DoorOnly')
    report.note('No network namespace for the browser here: isolation is DoorOnly (docs/security.md).');
  if (process.getuid?.() === 0)
    report.note(
      'You are root, so Chromium runs without its own sandbox: open only sites that you trust (docs/local.md).',
    );
}

function driver(options: LocalSessionOptions, shim: string | null, places: Parameters<typeof driveByHarness>[2]) {
  return (endpoints: SessionEndpoints): Promise<void> =>
    shim === null || options.harness === undefined
      ? driveByPerson(endpoints)
      : driveByHarness(shim, options.harness, places, endpoints);
}

/** Without it the start script records as well, at several times the processor time. */
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
  /** As the start script knows it; the browser's own answer comes late on a busy machine. */
  readonly browserPid: () => number;
}

/** From start to the outcome; null when the recorder died without one. */
async function follow({ events, recorder, ended, report, ...session }: Following): Promise<Finished | null> {
  const end = (): void => {
    recorder.process.kill('SIGTERM');
  };
  if (ended.aborted) end();
  else ended.addEventListener('abort', end, { once: true });
  const died = recorder.exited.then(() => null);
  const first = await Promise.race([events.armed, events.finished, died]);
  if (first === null || first.event === 'finished') return first;
  const endpoints = { cdp: loopback(first.door), control: loopback(first.control) };
  const proxy = loopback(first.proxy ?? 0);
  report.armed({
    ...endpoints,
    proxy,
    pids: { recorder: recorder.pid, browser: first.browserPid ?? session.browserPid() },
  });
  report.note(session.guide(endpoints));
  const driving = session.drive(endpoints).catch((error: unknown) => {
    report.note(`the agent's side failed: ${(error as Error).message}`);
  });
  const finished = await Promise.race([events.finished, died]);
  // The agent's processes are gone before a finished attempt is; after a dead recorder the shim ends them.
  await driving;
  return finished;
}

function loopback(port: number): string {
  return `http://127.0.0.1:${String(port)}`;
}

/** Browser first, recorder last, as in a Pod. Twice does no harm. */
async function endAll(children: ChildProgram[]): Promise<void> {
  for (const child of children.splice(0)) {
    await child.end(child.process.spawnfile.endsWith('clawbench-browser') ? BROWSER_END_MS : RECORDER_END_MS);
  }
}

type Ending = Pick<Finished, 'outcome' | 'stopReason' | 'reason' | 'message' | 'evidence'>;

/** A recorder that said nothing: it died, or it was told to end before it could. */
function endedWithout(ended: AbortSignal): Ending {
  const nothing = { stopReason: 'unknown', evidence: 'None' } as const;
  return ended.aborted
    ? {
        ...nothing,
        outcome: 'Cancelled',
        reason: 'CancelledByUser',
        message: 'The session was ended by its user before the recorder was there.',
      }
    : {
        ...nothing,
        outcome: 'Infrastructure',
        reason: 'InternalError',
        message: 'The recorder ended without an outcome; the browser was cut off with it.',
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
