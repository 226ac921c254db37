import { appendFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MODEL_CALLS_FILES, type GatewayState } from '../../benchmark/protocol/model-gateway.ts';
import type { UsageRow } from '../../benchmark/usage/usage-rows.ts';
import type { CallRow } from './ledger.ts';

/** What the recorder finds in the gateway's volume. Written in order; a full disk stops no call. */
export interface CallFiles {
  /** A call began. */
  begun(state: GatewayState): void;
  /** A call ended: its rows first, so that whoever sees no call in flight finds the rows of all. */
  write(call: CallRow, usage: UsageRow | null, state: GatewayState): void;
  /** Everything is written. */
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
  // There from the start: what a harness counted itself must not take the place of an exact nothing.
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
