import type { StartInterception } from '../contracts.ts';
import { assemble } from './assemble.ts';
import { compileRules } from './compile-rules.ts';
import { createMemory } from './guard-thread/memory.ts';
import { startGuardWorker } from './guard-thread/worker.ts';
import { createPhase } from './phase.ts';

/**
 * Starts guard, gateway and DevTools proxy for one run. Everything listens on return and everything refuses until `arm`.
 * @throws InterceptionError `InterceptionNotArmed` when the task's eval schema or the network block cannot be used.
 */
export const startInterception: StartInterception = async (options) => {
  const rules = compileRules(options);
  const memory = createMemory();
  const phase = createPhase(memory.phase);
  const { interception } = await assemble(options, { rules, memory, phase, startWorker: startGuardWorker });
  return interception;
};
