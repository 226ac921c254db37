import type { Context } from '../context.ts';
import { capOutcome } from '../finalise/model-outcome.ts';
import { NO_MODEL_GATEWAY, watchModelGateway, type ModelWatch } from './model-gateway.ts';

/** Follows the gateway's totals. A cap that refused a call, or a gateway that died, stops the attempt. */
export function watchModelCalls({ loop, now, environment }: Context): ModelWatch {
  if (!environment.run.modelGateway) return NO_MODEL_GATEWAY;
  return watchModelGateway(environment.dirs.modelCalls, {
    onProblem: (message) => {
      loop.dispatch({ type: 'failed', at: now(), reason: 'ModelGatewayFailed', message });
    },
    onState: (state) => {
      const reached = capOutcome(state, environment.run.capsInFull);
      if (reached === null) return;
      const { outcome, reason, message } = reached;
      if (outcome === 'Failed') loop.dispatch({ type: 'capReached', at: now(), message });
      else loop.dispatch({ type: 'failed', at: now(), reason, message });
    },
  });
}
