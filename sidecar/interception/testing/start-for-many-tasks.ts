import type { BrowserInterception, InterceptionOptions } from '../../contracts.ts';
import { assemble } from '../assemble.ts';
import { compileRules } from '../compile-rules.ts';
import { createMemory } from '../guard-thread/memory.ts';
import { createPhase } from '../phase.ts';
import { createChangeableTask } from './changeable-task.ts';
import { createTestGuardWorker } from './guard-worker.ts';
import { reopenAfterMatch, withoutMatch } from './phases.ts';

/** What a test of many requests or tasks under one browser needs, and a run never has. */
export interface InterceptionForTests {
  readonly interception: BrowserInterception;
  /** Decides by another task from the next request on, and opens again what a match closed. */
  readonly useTask: (evalSchema: unknown) => void;
  /** Reports every event so far; otherwise they are reported a quarter of a second later. */
  readonly drain: () => void;
}

/**
 * Interception composed from the parts of production, around a phase and a task of tests.
 * @param keepOpen a match is blocked and reported as `after-match`, and ends nothing.
 */
export async function startForManyTasks(
  options: InterceptionOptions,
  { keepOpen }: { readonly keepOpen: boolean },
): Promise<InterceptionForTests> {
  const rules = compileRules(options);
  const task = createChangeableTask(options.evalSchema);
  const memory = createMemory();
  const phase = createPhase(memory.phase);
  const worker = createTestGuardWorker({ keepOpen });
  const { interception, pipe } = await assemble(options, {
    rules: { ...rules, target: task.target, webSocketRule: task.webSocketRule },
    memory,
    phase: keepOpen ? withoutMatch(phase) : phase,
    startWorker: worker.startWorker,
  });
  return {
    interception,
    useTask: (evalSchema) => {
      task.use(evalSchema);
      worker.useTask(evalSchema);
      reopenAfterMatch(memory.phase);
    },
    drain: () => pipe.drain(),
  };
}
