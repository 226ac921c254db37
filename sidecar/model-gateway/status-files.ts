import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_CALLS_FILES, type AgentModel } from '../../benchmark/protocol/model-gateway.ts';

/** What the gateway reports to the recorder: files in a shared volume, renamed into place. */

/** The gateway listens: what the harness may know of it. */
export function reportReady(directory: string, model: AgentModel): void {
  put(directory, MODEL_CALLS_FILES.agent, model);
}

/** The gateway cannot do its work. @param message one sentence without a secret. */
export function reportFailure(directory: string, message: string): void {
  put(directory, MODEL_CALLS_FILES.error, { message });
}

function put(directory: string, name: string, content: object): void {
  const target = join(directory, name);
  writeFileSync(`${target}.new`, JSON.stringify(content));
  renameSync(`${target}.new`, target);
}
