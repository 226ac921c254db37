import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileTarget, type Target } from '../../benchmark/predicate.ts';
import { RUN_FILES } from '../../benchmark/protocol/pod-paths.ts';
import type { Reason } from '../../benchmark/outcome.ts';
import {
  InterceptionError,
  type Interception,
  type InterceptionEvent,
  type InterceptionOptions,
  type StartInterception,
} from '../contracts.ts';
import { arm } from './arm.ts';
import { createBrowserPipe } from './browser-pipe.ts';
import { listenDoor } from './door/listen.ts';
import { createCertificateAuthority } from './gateway/certificates.ts';
import type { GatewayContext } from './gateway/context.ts';
import { listenGateway } from './gateway/listen.ts';
import { routeRules, type RouteRules } from './gateway/route.ts';
import { socketRule } from './gateway/socket-rule.ts';
import { createTraffic } from './gateway/traffic.ts';
import { createGuard } from './guard/guard.ts';
import { createPauses } from './guard/pauses.ts';
import { createReleased } from './guard/released.ts';
import { createTargetTable } from './guard/targets.ts';
import { watchLiveness } from './liveness.ts';
import { createPhase, type PhaseState } from './phase.ts';
import { createSelfTest } from './self-test.ts';
import { createLatch } from './waiting.ts';

/** A browser that has not sent a byte for so long is stuck; a busy one on a small machine answers within a few seconds. */
const SILENCE = { tickMs: 1_000, ticks: 15 };
const BROWSER_CLOSE_MS = 3_000;

/**
 * Starts guard, gateway and door for one run. Everything listens on return and everything refuses until `arm`.
 * @throws InterceptionError `InterceptionNotArmed` when the task's eval schema or the network block cannot be used.
 */
export const startInterception: StartInterception = (options) => startWith(options, {});

/** What a test puts in place of a run's own parts. */
export interface Replaced {
  /** A test that sends many matching requests keeps its run open after the first. */
  readonly phase?: PhaseState;
  /** A test of many tasks changes the task under one browser. */
  readonly target?: Target;
}

/** The same with parts of the caller's. */
export async function startWith(options: InterceptionOptions, replaced: Replaced): Promise<Interception> {
  const { log, runDir } = options;
  const { phase = createPhase() } = replaced;
  const { target, rules } = compile(options, replaced.target);
  const file = (name: keyof typeof RUN_FILES): string => join(runDir, RUN_FILES[name]);
  const traffic = createTraffic();
  const selfTest = createSelfTest(options.controlPort);
  const targets = createTargetTable();
  const pipe = createBrowserPipe();
  const pauses = createPauses(pipe.commands, log);
  const released = createReleased();
  const lostLatch = createLatch<never>();

  const emit = (event: InterceptionEvent): void => {
    try {
      options.onEvent(event);
    } catch (error) {
      log.error({ err: error, event: event.type }, 'an event handler threw');
      lose('InternalError', `the recorder failed on a ${event.type} event`);
    }
  };
  const guard = createGuard({
    target,
    phase,
    selfTest: selfTest.urls,
    pauses,
    released: (request) => released.add(request),
    cut: () => traffic.destroyAll(),
    frameUrl: (frameId) => targets.urlOf(frameId),
    emit,
    selfTestBlocked: () => selfTest.guardBlocked(),
    now: Date.now,
  });
  /** Closed first, told second: when a listener learns of it there is nothing left to close. */
  const lose = (reason: Reason, message: string): void => {
    if (!phase.advance('lost')) return;
    traffic.destroyAll();
    pipe.destroy();
    guard.lost();
    lostLatch.fail(new InterceptionError(reason, message));
    emit({ type: 'lost', reason, message });
  };
  const liveness = watchLiveness({
    ...SILENCE,
    ping: () => void pipe.commands.send('Browser.getVersion').catch(() => undefined),
    dead: () => lose('CdpLost', `the browser has not answered for ${SILENCE.ticks} seconds`),
  });

  await mkdir(runDir, { recursive: true });
  const authority = await createCertificateAuthority();
  await writeFile(file('caSpki'), authority.spki);
  const context: GatewayContext = {
    phase,
    target,
    released,
    rules,
    socketRule: socketRule(target),
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
  const door = await listenDoor({ port: options.doorPort, cdpSocket: file('cdpSocket'), phase, log });
  context.ownPorts.add(door.port);
  // Last: the browser starts when this socket is there.
  await pipe.listen(file('pipeSocket'), {
    heard: () => liveness.heard(),
    message: (message) => targets.event(message),
    pausedHead: (head) => guard.head(head),
    pausedRest: (head, rest) => guard.rest(head, rest),
    ended: () => lose('BrowserExited', 'the browser ended'),
    again: () => lose('BrowserRestarted', 'the browser was restarted during the run'),
    broken: (error) => lose('CdpLost', `the browser's pipe cannot be read: ${error.message}`),
  });

  let endpoint = '';
  return {
    doorPort: door.port,
    proxyPort: gateway.proxyPort,
    get armed() {
      return phase.current === 'armed';
    },
    arm: async (signal) => {
      const armed = await arm(
        { pipe, selfTest, cdpSocket: file('cdpSocket'), runDir, lost: lostLatch.promise },
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
    },
    traffic: () => traffic.totals(),
    close: async () => {
      phase.advance('closed');
      traffic.destroyAll();
      liveness.stop();
      pauses.stop();
      await pipe.closeBrowser(BROWSER_CLOSE_MS);
      await Promise.all([pipe.close(), gateway.close(), door.close()]);
    },
  };
}

function compile(options: InterceptionOptions, given?: Target): { target: Target; rules: RouteRules } {
  try {
    return {
      target: given ?? compileTarget(options.evalSchema),
      rules: routeRules(options.network, options.controlPort),
    };
  } catch (error) {
    throw new InterceptionError('InterceptionNotArmed', error instanceof Error ? error.message : String(error));
  }
}
