import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import { runGuardThread } from '../guard-thread/run-guard-thread.ts';
import { createPhase } from '../phase.ts';
import { createChangeableTask } from './changeable-task.ts';
import { withoutMatch } from './phases.ts';
import type { TaskChange, TestThreadData } from './guard-worker.ts';

/** The program of the guard's thread in tests: the same guard, with a task that can be changed under it. */
const data = workerData as TestThreadData;
const { taskPort, taskWaiting, keepOpen } = data.test;
const task = createChangeableTask(data.evalSchema, () => {
  if (Atomics.exchange(taskWaiting, 0, 0) === 0) return;
  for (;;) {
    const received = receiveMessageOnPort(taskPort) as { readonly message: TaskChange } | undefined;
    if (received === undefined) return;
    task.use(received.message.evalSchema);
  }
});
const phase = createPhase(data.memory.phase);
runGuardThread(data, { phase: keepOpen ? withoutMatch(phase) : phase, target: task.target });
// An open port would keep the thread alive.
taskPort.close();
