import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RUN_FILES } from '../../benchmark/protocol/pod-paths.ts';
import { InterceptionError, type BrowserInterception, type InterceptionOptions } from '../contracts.ts';
import { arm } from './arm.ts';
import type { BrowserPipe } from './browser-pipe.ts';
import type { InterceptionRules } from './compile-rules.ts';
import { listenDevToolsProxy } from './devtools-proxy/listen.ts';
import { createEventEmitter } from './emit-events.ts';
import { createTraffic } from './gateway/traffic.ts';
import { createBodyClearedRequests } from './guard/body-cleared-requests.ts';
import type { SharedMemory } from './guard-thread/memory.ts';
import type { StartGuardWorker } from './guard-thread/worker.ts';
import { watchLiveness } from './liveness.ts';
import type { PhaseState } from './phase.ts';
import { createSelfTest } from './self-test.ts';
import { startGateway } from './start-gateway.ts';
import { startGuard } from './start-guard.ts';

/** A browser that sends no byte for 15 s is stuck; a busy one on a small machine answers within a few seconds. */
const SILENCE = { tickMs: 1_000, ticks: 15 };
const BROWSER_CLOSE_MS = 3_000;

/** What guard and gateway decide by. */
export interface InterceptionParts {
  readonly rules: InterceptionRules;
  readonly memory: SharedMemory;
  /** The phase in `memory`. */
  readonly phase: PhaseState;
  readonly startWorker: StartGuardWorker;
}

export interface AssembledInterception {
  readonly interception: BrowserInterception;
  readonly pipe: BrowserPipe;
}

/** Starts the parts, in the order in which they need each other, and joins them. */
export async function assemble(options: InterceptionOptions, parts: InterceptionParts): Promise<AssembledInterception> {
  const { log, runDir, controlPort } = options;
  const { phase, rules } = parts;
  const cdpSocket = join(runDir, RUN_FILES.cdpSocket);
  const ownPorts = new Set([controlPort]);
  const traffic = createTraffic();
  const selfTest = createSelfTest(controlPort);
  const bodyCleared = createBodyClearedRequests();
  let openPipe: BrowserPipe | null = null;
  const events = createEventEmitter({
    ...options,
    phase,
    closeAll: () => {
      traffic.destroyAll();
      openPipe?.destroy();
    },
  });
  await mkdir(runDir, { recursive: true });
  const gateway = await startGateway(options, {
    ...rules,
    phase,
    ownPorts,
    traffic,
    events,
    bodyCleared: {
      has: (request) => {
        // The guard reports it before it lets the request continue; the report may not have been read yet.
        openPipe?.drain();
        return bodyCleared.has(request);
      },
    },
    refusedUnarmed: (url) => selfTest.gatewayRefused(url),
  });
  const devToolsProxy = await listenDevToolsProxy({ port: options.devToolsPort, cdpSocket, phase, log });
  ownPorts.add(devToolsProxy.port);
  const pipe = await startGuard(options, { ...parts, events, traffic, selfTest, bodyCleared });
  openPipe = pipe;
  const liveness = watchLiveness({
    ...SILENCE,
    ping: () => void pipe.commands.send('Browser.getVersion').catch(() => undefined),
    readCount: () => pipe.readCount(),
    dead: () => events.lose('CdpLost', `the browser has not answered for ${SILENCE.ticks} seconds`),
  });
  // Last: the browser's start script waits for this file.
  await writeFile(join(runDir, RUN_FILES.recorderReady), '');

  let endpoint = '';
  const interception: BrowserInterception = {
    devToolsPort: devToolsProxy.port,
    proxyPort: gateway.proxyPort,
    get armed() {
      return phase.current === 'armed';
    },
    arm: async (signal) => {
      const armed = await arm({ pipe, selfTest, cdpSocket, runDir, lost: events.lost }, signal);
      if (!phase.advance('armed'))
        throw new InterceptionError('InterceptionNotArmed', `interception is already ${phase.current}`);
      liveness.start();
      endpoint = armed.endpoint;
      return { browserVersion: armed.browserVersion, browserPid: armed.browserPid };
    },
    evidenceEndpoint: () => endpoint,
    freeze: () => {
      phase.advance('frozen');
      traffic.destroyAll();
      pipe.drain();
    },
    traffic: () => traffic.totals(),
    close: async () => {
      phase.advance('closed');
      traffic.destroyAll();
      liveness.stop();
      await pipe.closeBrowser(BROWSER_CLOSE_MS);
      await Promise.all([pipe.close(), gateway.close(), devToolsProxy.close()]);
    },
  };
  return { interception, pipe };
}
