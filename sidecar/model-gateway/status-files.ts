import { closeSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_CALLS_FILES, type AgentModel } from '../../benchmark/protocol/model-gateway.ts';

/** The gateway's word to the recorder: files in the volume that both see, whole or not at all. */

/**
 * Kubelet restarts a native sidecar that dies. Its sums died with it, so caps would begin anew: a second life must not
 * carry a call.
 * @returns whether this is a second life.
 */
export function markGatewayStart(directory: string): boolean {
  try {
    closeSync(openSync(join(directory, MODEL_CALLS_FILES.started), 'wx'));
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return true;
    throw error;
  }
}

/** It listens: what the harness is told. */
export function reportReady(directory: string, model: AgentModel): void {
  put(directory, MODEL_CALLS_FILES.agent, model);
}

/** It cannot do its work. @param message one sentence without a secret. */
export function reportFailure(directory: string, message: string): void {
  put(directory, MODEL_CALLS_FILES.error, { message });
}

function put(directory: string, name: string, content: object): void {
  const target = join(directory, name);
  writeFileSync(`${target}.new`, JSON.stringify(content));
  renameSync(`${target}.new`, target);
}
