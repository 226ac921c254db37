import { appendFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MODEL_CALLS_FILES, type GatewayState } from '../../benchmark/protocol/model-gateway.ts';
import type { UsageRow } from '../../benchmark/usage/usage-row.ts';
import type { CallRow } from './ledger.ts';

/** The files that the recorder reads in the gateway's volume. Written in order; a full disk stops no call. */
export interface CallFiles {
  /** A call started. */
  begun(state: GatewayState): void;
  /** A call ended. Its rows are written before the totals, so that a reader who sees no call in flight finds all rows. */
  write(call: CallRow, usage: UsageRow | null, state: GatewayState): void;
  /** Resolves when everything is written. */
  flush(): Promise<void>;
}

export function openCallFiles(directory: string, onProblem: (error: unknown) => void): CallFiles {
  const put = async (call: CallRow, usage: UsageRow | null, state: GatewayState): Promise<void> => {
    await appendFile(join(directory, MODEL_CALLS_FILES.calls), `${JSON.stringify(call)}\n`);
    if (usage !== null) await appendFile(join(directory, MODEL_CALLS_FILES.usage), `${JSON.stringify(usage)}\n`);
    await putState(state);
  };
  const putState = async (state: GatewayState): Promise<void> => {
    const target = join(directory, MODEL_CALLS_FILES.state);
    await writeFile(`${target}.new`, JSON.stringify(state));
    await rename(`${target}.new`, target);
  };
  // Created at the start: without a call, the gateway's empty file must win over what a harness counted itself.
  const touched = [MODEL_CALLS_FILES.calls, MODEL_CALLS_FILES.usage].map((name) =>
    appendFile(join(directory, name), ''),
  );
  let writing = Promise.all(touched).then(() => undefined, onProblem);
  return {
    begun: (state) => {
      writing = writing.then(() => putState(state)).catch(onProblem);
    },
    write: (call, usage, state) => {
      writing = writing.then(() => put(call, usage, state)).catch(onProblem);
    },
    flush: () => writing,
  };
}
