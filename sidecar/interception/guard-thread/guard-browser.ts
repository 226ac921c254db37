import type { Target } from '../../../benchmark/request/predicate.ts';
import { createFastPath } from '../guard/fast-path.ts';
import { createGuard } from '../guard/guard.ts';
import { createPauses } from '../guard/pauses.ts';
import { createTargetUrls } from '../guard/target-urls.ts';
import type { PhaseState } from '../phase.ts';
import { createFireAndForgetCommands, FIRST_FIRE_AND_FORGET_ID } from '../pipe/fire-and-forget-commands.ts';
import { createMessageReader } from '../pipe/message-reader.ts';
import type { GuardReport, GuardThreadData } from './reports.ts';
import { createTwoSpeedReader } from './two-speed-reader.ts';

/** What the guard decides by. */
export interface GuardRules {
  /** The phase in the thread's shared memory. */
  readonly phase: PhaseState;
  readonly target: Target;
}

export interface BrowserGuardOptions extends GuardRules, Pick<GuardThreadData, 'selfTest'> {
  /** Writes a command to the browser, without its NUL. */
  readonly write: (text: string) => void;
  readonly report: (report: GuardReport) => void;
  /** Called for each request that the fast path continued; see {@link createFastPath}. */
  readonly continued: (at: number, message: Buffer, urgent: boolean) => void;
}

/** The guard on one browser's stream of messages. */
export interface BrowserGuard {
  /** Takes the next bytes of the stream; they may be overwritten afterwards. @throws UnreadablePipe */
  take(chunk: Buffer): void;
  /** The pipe is gone. */
  close(): void;
}

export function createBrowserGuard(options: BrowserGuardOptions): BrowserGuard {
  const { phase, target, selfTest, report } = options;
  const commands = createFireAndForgetCommands(options.write);
  const pauses = createPauses(commands, (facts, text) => report({ kind: 'warning', facts, text }));
  const targetUrls = createTargetUrls();
  const guard = createGuard({
    target,
    phase,
    selfTest,
    pauses,
    bodyCleared: ({ url, method }) => report({ kind: 'body-cleared', request: { url, method } }),
    cutEgress: () => report({ kind: 'cut-egress' }),
    frameUrl: (frameId) => targetUrls.urlOf(frameId),
    emit: (event) => report({ kind: 'event', event }),
    selfTestBlocked: () => report({ kind: 'self-test-blocked' }),
    now: Date.now,
  });
  const fastPath = createFastPath({ target, phase, selfTest, pauses, continued: options.continued, now: Date.now });
  const acknowledged = (id: number): void => {
    if (id >= FIRST_FIRE_AND_FORGET_ID) commands.acknowledged(id);
    else report({ kind: 'reply', reply: { id, result: {} } });
  };
  const take = createTwoSpeedReader({
    read: createMessageReader({
      message: (message) => {
        if (message['id'] === undefined) targetUrls.event(message);
        else if ((message['id'] as number) >= FIRST_FIRE_AND_FORGET_ID) commands.settle(message);
        else report({ kind: 'reply', reply: message });
      },
      acknowledged,
      pausedHead: (head) => guard.head(head),
      pausedRest: (head, rest) => guard.rest(head, rest),
    }),
    acknowledged,
    fastPath,
  });
  return {
    take: (chunk) => {
      take(chunk);
      pauses.watch();
    },
    close: () => {
      guard.lost();
      commands.close('the browser is gone');
    },
  };
}
