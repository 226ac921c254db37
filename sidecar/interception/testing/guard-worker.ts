import { join } from 'node:path';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import type { GuardThreadData } from '../guard-thread/reports.ts';
import type { StartGuardWorker } from '../guard-thread/worker.ts';

/** What `guard-thread-main.ts` is started with. */
export interface TestThreadData extends GuardThreadData {
  readonly test: {
    /** Carries {@link TaskChange}s into the thread. */
    readonly taskPort: MessagePort;
    /** One cell; not 0 while a change waits in the port. */
    readonly taskWaiting: Int32Array;
    /** A match is blocked and reported as `after-match`, and ends nothing. */
    readonly keepOpen: boolean;
  };
}

export interface TaskChange {
  readonly evalSchema: unknown;
}

/** A guard's thread of tests, and how to change its task. */
export interface TestGuardWorker {
  readonly startWorker: StartGuardWorker;
  /** The guard decides every later request by this task. */
  readonly useTask: (evalSchema: unknown) => void;
}

export function createTestGuardWorker({ keepOpen }: { readonly keepOpen: boolean }): TestGuardWorker {
  const { port1: port, port2: taskPort } = new MessageChannel();
  port.unref();
  const taskWaiting = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  return {
    startWorker: (data) =>
      new Worker(join(import.meta.dirname, 'guard-thread-main.ts'), {
        workerData: { ...data, test: { taskPort, taskWaiting, keepOpen } } satisfies TestThreadData,
        transferList: [data.port, taskPort],
        name: 'guard',
        execArgv: [],
        env: {},
      }),
    useTask: (evalSchema) => {
      port.postMessage({ evalSchema } satisfies TaskChange);
      Atomics.store(taskWaiting, 0, 1);
    },
  };
}
