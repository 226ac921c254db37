import { compileTarget, type Target } from '../../benchmark/request/predicate.ts';
import { InterceptionError, type InterceptionOptions } from '../contracts.ts';
import { routeRules, type RouteRules } from './gateway/policy/route.ts';
import { webSocketRule, type WebSocketRule } from './gateway/policy/websocket-rule.ts';
import { memoizeTarget } from './memoized-target.ts';

/** What the task decides: which request is the target, and which WebSockets could be one. */
export interface TaskRules {
  readonly target: Target;
  readonly webSocketRule: WebSocketRule;
}

/** The task's rules, and where the run's network block sends a request. */
export interface InterceptionRules extends TaskRules {
  readonly routes: RouteRules;
}

/** @throws PatternError, EvalSchemaError */
export function compileTask(evalSchema: unknown): TaskRules {
  const target = memoizeTarget(compileTarget(evalSchema));
  return { target, webSocketRule: webSocketRule(target) };
}

/** @throws InterceptionError `InterceptionNotArmed` when the eval schema or the network block cannot be used. */
export function compileRules(
  options: Pick<InterceptionOptions, 'evalSchema' | 'network' | 'controlPort'>,
): InterceptionRules {
  try {
    return { ...compileTask(options.evalSchema), routes: routeRules(options.network, options.controlPort) };
  } catch (error) {
    throw new InterceptionError('InterceptionNotArmed', error instanceof Error ? error.message : String(error));
  }
}
