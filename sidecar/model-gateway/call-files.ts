import { appendFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MODEL_CALLS_FILES, type GatewayState } from '../../benchmark/protocol/model-gateway.ts';
import type { UsageRow } from '../../benchmark/usage/emit.ts';
import type { CallRow } from './ledger.ts';

/** What the recorder finds in the gateway's volume. Written in order; a full disk stops no call. */
export interface CallFiles {
  write(call: CallRow, usage: UsageRow | null, state: GatewayState): void;
  /** Everything is written. */
  flush(): Promise<void>;
}

export function openCallFiles(directory: string, onProblem: (error: unknown) => void): CallFiles {
  let writing = Promise.resolve();
  const put = async (call: CallRow, usage: UsageRow | null, state: GatewayState): Promise<void> => {
    await appendFile(join(directory, MODEL_CALLS_FILES.calls), `${JSON.stringify(call)}\n`);
    if (usage !== null) await appendFile(join(directory, MODEL_CALLS_FILES.usage), `${JSON.stringify(usage)}\n`);
    const target = join(directory, MODEL_CALLS_FILES.state);
    await writeFile(`${target}.new`, JSON.stringify(state));
    await rename(`${target}.new`, target);
  };
  return {
    write: (call, usage, state) => {
      writing = writing.then(() => put(call, usage, state)).catch(onProblem);
    },
    flush: () => writing,
  };
}
