import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { startCapture } from '../../../sidecar/capture/start.ts';
import type { Capture, InterceptionEvent } from '../../../sidecar/contracts.ts';
import { keepInMemory, type Kept } from '../capture/fixtures.ts';
import { connectCdp, type CdpClient } from '../interception/cdp-client.ts';
import { startFixtureSite, type FixtureSite } from '../interception/fixture-site.ts';
import { startInterceptionSession } from '../interception/session.ts';
import { recordCase, type CaseEvidence } from './record-case.ts';
import { OTHER, PAGES, SHOP } from './scenarios.ts';
import { startTap, type Command, type Tap, type TapOptions } from './tap.ts';

/** The recorder's own parts on one Chromium: guard, gateway, capture and evidence. Cases run on them one after another. */
export interface RecorderParts {
  readonly site: FixtureSite;
  /** Drives the browser, also when the DevTools proxy refuses commands. */
  readonly cdp: CdpClient;
  /** The shipped capture, with its DevTools connection tapped. */
  readonly capture: WatchedCapture;
  /** The commands that the recorder has sent over the browser's pipe so far. */
  readonly said: () => Command[];
  /** The recorder's answers to the pauses of a request. */
  readonly answersTo: (request: { readonly url: string; readonly method: string }) => Command[];
  /** Another capture of the same browser. */
  capturing(options: TapOptions): Promise<WatchedCapture>;
  /** Runs a task: `work` gets its events as they come. Afterwards its tabs are closed, and the browser is free for the next task. */
  run(evalSchema: unknown, work: (events: readonly InterceptionEvent[]) => Promise<void>): Promise<CaseEvidence>;
  /** Closes all tabs that `work` opened. */
  withTabs<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface WatchedCapture {
  readonly tap: Tap;
  readonly kept: Kept;
  readonly capture: Capture;
  close(): Promise<void>;
}

export async function startRecorderParts(): Promise<RecorderParts> {
  const site = await startFixtureSite(PAGES);
  const directory = await mkdtemp(join(tmpdir(), 'cb-conformance-'));
  const pipeLog = join(directory, 'pipe');
  const turn = openTurn();
  const address = `127.0.0.1:${site.port}`;
  const clear = async (): Promise<void> => {
    await site.close();
    await rm(directory, { recursive: true });
  };
  const session = await startInterceptionSession({
    evalSchema: {},
    pipeLog,
    network: { map: [SHOP, OTHER].map((host) => ({ host, address })) },
    onEvent: (event) => turn.onEvent(event),
  }).catch(async (error: unknown) => {
    await clear();
    throw error;
  });
  const end = async (): Promise<void> => {
    await session.close();
    await clear();
  };
  const endpoint = session.interception.evidenceEndpoint();
  try {
    const cdp = await connectCdp(endpoint);
    const capture = await startWatched(endpoint, {});
    const withTabs = <T>(work: () => Promise<T>): Promise<T> => closingTabs(cdp, work);
    return {
      site,
      cdp,
      capture,
      capturing: (options) => startWatched(endpoint, options),
      withTabs,
      said: () => messagesOf(`${pipeLog}.said`),
      answersTo: (request) => answersTo(request, pipeLog),
      run: async (evalSchema, work) => {
        const recording = await recordCase(evalSchema, capture.capture);
        session.useTask(evalSchema);
        const events = turn.begin(recording.event);
        try {
          await withTabs(() => work(events));
        } finally {
          // Reports that are still pending belong to this task.
          session.drain();
          turn.end();
        }
        return recording.end();
      },
      close: async () => {
        await capture.close();
        cdp.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Assigns events to tasks that run one after another in one browser. */
interface Turn {
  readonly onEvent: (event: InterceptionEvent) => void;
  /** @returns the task's events, as they come. */
  begin(also: (event: InterceptionEvent) => void): readonly InterceptionEvent[];
  end(): void;
}

function openTurn(): Turn {
  const ignore = (): void => undefined;
  let onEvent: Turn['onEvent'] = ignore;
  return {
    onEvent: (event) => onEvent(event),
    begin: (also) => {
      const events: InterceptionEvent[] = [];
      onEvent = (event) => {
        events.push(event);
        also(event);
      };
      return events;
    },
    end: () => (onEvent = ignore),
  };
}

async function closingTabs<T>(cdp: CdpClient, work: () => Promise<T>): Promise<T> {
  const before = await tabs(cdp);
  try {
    return await work();
  } finally {
    const made = (await tabs(cdp)).filter((id) => !before.includes(id));
    await Promise.all(made.map((targetId) => cdp.call('Target.closeTarget', { targetId })));
  }
}

async function startWatched(endpoint: string, options: TapOptions): Promise<WatchedCapture> {
  const tap = await startTap(endpoint, options);
  const kept = keepInMemory();
  const log = pino({ level: 'silent' });
  const capture = await startCapture({ endpoint: tap.endpoint, evidence: kept, log, onAction: () => undefined });
  return {
    tap,
    kept,
    capture,
    close: async () => {
      await capture.stop();
      await tap.close();
    },
  };
}

async function tabs(cdp: CdpClient): Promise<string[]> {
  const { result } = await cdp.call('Target.getTargets');
  const infos = (result?.['targetInfos'] ?? []) as { type: string; targetId: string }[];
  return infos.filter(({ type }) => type === 'page').map(({ targetId }) => targetId);
}

/** Only whole messages: the last one may still be incomplete. */
function messagesOf(file: string, naming = ''): Command[] {
  const messages = readFileSync(file, 'utf8').split('\0').slice(0, -1);
  return messages.filter((text) => text.includes(naming)).map((text) => JSON.parse(text) as Command);
}

function answersTo(request: { readonly url: string; readonly method: string }, pipeLog: string): Command[] {
  const paused = messagesOf(`${pipeLog}.heard`, request.url).flatMap(({ method, params }) => {
    const seen = params?.['request'] as { url: string; method: string } | undefined;
    const same = seen?.url === request.url && seen.method === request.method;
    return method === 'Fetch.requestPaused' && same ? [params['requestId']] : [];
  });
  return messagesOf(`${pipeLog}.said`, 'Fetch.').filter(({ params }) => paused.includes(params['requestId']));
}
