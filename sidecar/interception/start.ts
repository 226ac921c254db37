import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileTarget, type Target } from '../../benchmark/request/predicate.ts';
import { RUN_FILES } from '../../benchmark/protocol/pod-paths.ts';
import type { Reason } from '../../benchmark/outcome/outcome.ts';
import {
  InterceptionError,
  type BrowserInterception,
  type InterceptionEvent,
  type InterceptionOptions,
  type StartInterception,
} from '../contracts.ts';
import { arm } from './arm.ts';
import { openBrowserPipe, type BrowserPipe, type PipeOptions } from './browser-pipe.ts';
import { listenDevtoolsProxy } from './devtools-proxy/listen.ts';
import { createCertificateAuthority } from './gateway/tunnel/certificates.ts';
import type { GatewayContext } from './gateway/context.ts';
import { listenGateway } from './gateway/listen.ts';
import { routeRules, type RouteRules } from './gateway/policy/route.ts';
import { webSocketRule } from './gateway/policy/websocket-rule.ts';
import { createTraffic } from './gateway/traffic.ts';
import { createBodyClearedRequests } from './guard/body-cleared-requests.ts';
import { watchLiveness } from './liveness.ts';
import { createPhase, reopen, withoutMatch } from './phase.ts';
import { memoizeTarget } from './memoized-target.ts';
import { createSelfTest } from './self-test.ts';
import { createMemory } from './guard-thread/memory.ts';
import { createLatch } from './latch.ts';

/** A browser that has not sent a byte for so long is stuck; a busy one on a small machine answers within a few seconds. */
const SILENCE = { tickMs: 1_000, ticks: 15 };
const BROWSER_CLOSE_MS = 3_000;

/**
 * Starts guard, gateway and door for one run. Everything listens on return and everything refuses until `arm`.
 * @throws InterceptionError `InterceptionNotArmed` when the task's eval schema or the network block cannot be used.
 */
export const startInterception: StartInterception = (options) => startWith(options, {});

/** What a test of many requests or tasks under one browser needs, and a run never has. */
export interface TestOptions {
  /** A match is blocked and told as `after-match`, and ends nothing. */
  readonly keepOpen?: boolean;
  /** `useTask` may be called. */
  readonly manyTasks?: boolean;
}

export interface InterceptionUnderTest extends BrowserInterception {
  /** Another task counts from the next request on; what a match had closed is open again. */
  useTask(evalSchema: unknown): void;
  /** Tells every event so far; they are told by themselves a quarter of a second later. */
  drain(): void;
}

/** The same for tests. */
export async function startWith(options: InterceptionOptions, tests: TestOptions): Promise<InterceptionUnderTest> {
  const { log, runDir } = options;
  const { keepOpen = false, manyTasks = false } = tests;
  const { rules, target: compiled } = compile(options);
  let target = memoizeTarget(compiled);
  let socketsOf = webSocketRule(target);
  const file = (name: keyof typeof RUN_FILES): string => join(runDir, RUN_FILES[name]);
  const memory = createMemory();
  const ownPhase = createPhase(memory.phase);
  const phase = keepOpen ? withoutMatch(ownPhase) : ownPhase;
  const traffic = createTraffic();
  const selfTest = createSelfTest(options.controlPort);
  const released = createBodyClearedRequests();
  const lostLatch = createLatch<never>();
  let pipe: BrowserPipe | null = null;

  const emit = (event: InterceptionEvent): void => {
    try {
      options.onEvent(event);
    } catch (error) {
      log.error({ err: error, event: event.type }, 'an event handler threw');
      lose('InternalError', `the recorder failed on a ${event.type} event`);
    }
  };
  /** Closed first, told second: when a listener learns of it there is nothing left to close. */
  const lose = (reason: Reason, message: string): void => {
    if (!phase.advance('lost')) return;
    traffic.destroyAll();
    pipe?.destroy();
    lostLatch.fail(new InterceptionError(reason, message));
    emit({ type: 'lost', reason, message });
  };
  const liveness = watchLiveness({
    ...SILENCE,
    ping: () => void pipe?.commands.send('Browser.getVersion').catch(() => undefined),
    heard: () => pipe?.heard() ?? 0,
    dead: () => lose('CdpLost', `the browser has not answered for ${SILENCE.ticks} seconds`),
  });

  await mkdir(runDir, { recursive: true });
  const authority = await createCertificateAuthority();
  await writeFile(file('caSpki'), authority.spki);
  const context: GatewayContext = {
    phase,
    get target() {
      return target;
    },
    released: {
      has: (request) => {
        // The guard has said so before it let go; it may still lie with what was not taken over.
        pipe?.drain();
        return released.has(request);
      },
    },
    rules,
    get socketRule() {
      return socketsOf;
    },
    authority,
    traffic,
    ownPorts: new Set([options.controlPort]),
    turnedAway: (url) => selfTest.gatewaySaw(url),
    emit,
    log,
  };
  const gateway = await listenGateway(context, {
    lender: {
      program: options.listenerProgram,
      socket: file('listenerSocket'),
      lost: (message) => lose('InternalError', message),
    },
    ...(options.proxyPort === undefined ? {} : { proxyPort: options.proxyPort }),
  });
  const door = await listenDevtoolsProxy({ port: options.devToolsPort, cdpSocket: file('cdpSocket'), phase, log });
  context.ownPorts.add(door.port);
  const told: PipeOptions['report'] = (report) => {
    switch (report.kind) {
      case 'event':
        return emit(report.event);
      case 'cut':
        return traffic.destroyAll();
      case 'released':
        return released.add(report.request);
      case 'selfTestBlocked':
        return selfTest.guardBlocked();
      case 'warning':
        return log.warn(report.facts, report.text);
    }
  };
  const opened = await openBrowserPipe({
    events: file('pipeEvents'),
    commands: file('pipeCommands'),
    memory,
    evalSchema: options.evalSchema,
    selfTest: selfTest.urls,
    keepOpen,
    report: told,
    passed: (request) => emit({ type: 'request', request }),
    ended: (why) => {
      if (why.kind === 'ended') return lose('BrowserExited', 'the browser ended');
      if (why.kind === 'broken') return lose('CdpLost', `the browser's pipe cannot be read: ${why.message}`);
      log.error({ err: why.error }, 'the guard failed');
      lose('InternalError', `the guard failed: ${why.error.message}`);
    },
  });
  pipe = opened;
  // Last: the browser starts when this file is there.
  await writeFile(file('recorderReady'), '');

  let endpoint = '';
  return {
    devToolsPort: door.port,
    proxyPort: gateway.proxyPort,
    get armed() {
      return phase.current === 'armed';
    },
    arm: async (signal) => {
      const armed = await arm(
        { pipe: opened, selfTest, cdpSocket: file('cdpSocket'), runDir, lost: lostLatch.promise },
        signal,
      );
      if (!phase.advance('armed'))
        throw new InterceptionError('InterceptionNotArmed', `interception is ${phase.current} already`);
      liveness.start();
      endpoint = armed.endpoint;
      return { browserVersion: armed.browserVersion, browserPid: armed.browserPid };
    },
    evidenceEndpoint: () => endpoint,
    freeze: () => {
      phase.advance('frozen');
      traffic.destroyAll();
      opened.drain();
    },
    useTask: (evalSchema) => {
      if (!manyTasks) throw new Error('a run has one task');
      target = memoizeTarget(compileTarget(evalSchema));
      socketsOf = webSocketRule(target);
      opened.useTask(evalSchema);
      reopen(memory.phase);
    },
    drain: () => opened.drain(),
    traffic: () => traffic.totals(),
    close: async () => {
      phase.advance('closed');
      traffic.destroyAll();
      liveness.stop();
      await opened.closeBrowser(BROWSER_CLOSE_MS);
      await Promise.all([opened.close(), gateway.close(), door.close()]);
    },
  };
}

function compile(options: InterceptionOptions): { target: Target; rules: RouteRules } {
  try {
    return {
      target: compileTarget(options.evalSchema),
      rules: routeRules(options.network, options.controlPort),
    };
  } catch (error) {
    throw new InterceptionError('InterceptionNotArmed', error instanceof Error ? error.message : String(error));
  }
}
