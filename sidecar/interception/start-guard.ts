import { join } from 'node:path';
import { RUN_FILES } from '../../benchmark/protocol/pod-paths.ts';
import type { InterceptionOptions } from '../contracts.ts';
import { openBrowserPipe, type BrowserPipe, type BrowserPipeOptions } from './browser-pipe.ts';
import type { EventEmitter } from './emit-events.ts';
import type { Traffic } from './gateway/traffic.ts';
import type { BodyClearedRequests } from './guard/body-cleared-requests.ts';
import type { SelfTest } from './self-test.ts';

/** What acts on the reports of the guard. */
export interface GuardParts extends Pick<BrowserPipeOptions, 'memory' | 'startWorker'> {
  readonly events: Pick<EventEmitter, 'emit' | 'lose'>;
  readonly traffic: Pick<Traffic, 'destroyAll'>;
  readonly selfTest: Pick<SelfTest, 'urls' | 'guardBlocked'>;
  readonly bodyCleared: Pick<BodyClearedRequests, 'add'>;
}

/**
 * Starts the guard's thread on the browser's pipe and routes each of its reports to the part that acts on it.
 * @returns once the browser may connect.
 */
export function startGuard(options: InterceptionOptions, parts: GuardParts): Promise<BrowserPipe> {
  const { runDir, evalSchema, log } = options;
  const { memory, startWorker, events, traffic, selfTest, bodyCleared } = parts;
  return openBrowserPipe({
    events: join(runDir, RUN_FILES.pipeEvents),
    commands: join(runDir, RUN_FILES.pipeCommands),
    memory,
    startWorker,
    evalSchema,
    selfTest: selfTest.urls,
    report: (report) => {
      switch (report.kind) {
        case 'event':
          return events.emit(report.event);
        case 'cut-egress':
          return traffic.destroyAll();
        case 'body-cleared':
          return bodyCleared.add(report.request);
        case 'self-test-blocked':
          return selfTest.guardBlocked();
        case 'warning':
          return log.warn(report.facts, report.text);
      }
    },
    continued: (request) => events.emit({ type: 'request', request }),
    ended: (exit) => {
      if (exit.kind === 'browser-exited') return events.lose('BrowserExited', 'the browser exited');
      if (exit.kind === 'unreadable-pipe')
        return events.lose('CdpLost', `the browser's pipe cannot be read: ${exit.message}`);
      log.error({ err: exit.error }, 'the guard failed');
      events.lose('InternalError', `the guard failed: ${exit.error.message}`);
    },
  });
}
