import { workerData } from 'node:worker_threads';
import { compileTarget } from '../../../benchmark/request/predicate.ts';
import { memoizeTarget } from '../memoized-target.ts';
import { createPhase } from '../phase.ts';
import type { GuardThreadData } from './reports.ts';
import { runGuardThread } from './run-guard-thread.ts';

/** The program of the guard's thread. */
const data = workerData as GuardThreadData;
runGuardThread(data, {
  phase: createPhase(data.memory.phase),
  target: memoizeTarget(compileTarget(data.evalSchema)),
});
