import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureBinaries } from '../cluster/binaries.ts';

const execute = promisify(execFile);

/**
 * Runs kubectl or helm, the ones that belong to the embedded cluster unless `CLAWBENCH_BIN` names another folder.
 * @throws with the tool's own words when it fails.
 */
export const runTool = async (
  tool: 'kubectl' | 'helm',
  args: readonly string[],
): Promise<{ stdout: string; stderr: string }> => {
  const folder = process.env['CLAWBENCH_BIN'] ?? (await ensureBinaries());
  return execute(join(folder, tool), args, { maxBuffer: 64 * 1024 * 1024, timeout: 120_000 });
};
