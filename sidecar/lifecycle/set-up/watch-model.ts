import type { Context } from '../context.ts';
import { capEnd } from '../finalise/model-outcome.ts';
import { watchModelGateway } from './model-gateway.ts';

/**
 * Keeps the gateway's totals at hand; a cap that refused a call, or a gateway that died, ends the attempt.
 * @returns a function that ends the watch.
 */
export function watchModel(context: Context): () => void {
  const { loop, now, environment, holdings } = context;
  if (!environment.run.modelGateway) return () => undefined;
  return watchModelGateway(environment.dirs.modelCalls, {
    onProblem: (message) => {
      loop.dispatch({ type: 'failed', at: now(), reason: 'ModelGatewayFailed', message });
    },
    onState: (state) => {
      holdings.modelState = state;
      const end = capEnd(state, environment.run.capsInFull);
      if (end === null) return;
      const { outcome, reason, message } = end;
      if (outcome === 'Failed') loop.dispatch({ type: 'capReached', at: now(), message });
      else loop.dispatch({ type: 'failed', at: now(), reason, message });
    },
  });
}
