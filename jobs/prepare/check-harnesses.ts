import { isUtf8 } from 'node:buffer';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  envFile,
  envSource,
  HARNESS_ENV_DIR,
  HARNESS_REFERENCES_DIR,
  type EnvSource,
} from '../../benchmark/protocol/job-paths.ts';
import { MAX_STRING_BYTES } from '../../benchmark/task/task-limits.ts';
import type { Harness } from '../../crds/blocks/agents.ts';
import { BatchRefusal } from './refusal.ts';

/** `execve` takes 2 MiB for all variables, the prompt and the image's own included. */
const MAX_ALL_BYTES = 1024 * 1024;

export interface HarnessMounts {
  readonly env: string;
  readonly references: string;
}

const MOUNTS: HarnessMounts = {
  env: process.env['CLAWBENCH_HARNESS_ENV_DIR'] ?? HARNESS_ENV_DIR,
  references: process.env['CLAWBENCH_HARNESS_REFERENCES_DIR'] ?? HARNESS_REFERENCES_DIR,
};

/**
 * What the harnesses' containers are made from is there and fits: kubelet would wait for a missing Secret until each
 * attempt's time is over.
 * @throws Refusal that names the field, never a value
 */
export async function checkHarnesses(harnesses: readonly Harness[], mounts: HarnessMounts = MOUNTS): Promise<void> {
  for (const [index, harness] of harnesses.entries()) {
    const field = `spec.harnesses[${String(index)}]`;
    await checkEnv(harness, field, mounts.env);
    if (harness.references !== undefined)
      await checkReferences(harness.references.name, field, join(mounts.references, String(index)));
  }
}

async function checkEnv({ env }: Harness, field: string, directory: string): Promise<void> {
  let total = 0;
  for (const [index, variable] of env.entries()) {
    const source = envSource(variable);
    const place = `${field}.env[${String(index)}].valueFrom`;
    const bytes = source === null ? Buffer.from(variable.value ?? '') : await read(source, place, directory);
    const size = variable.name.length + 1 + bytes.byteLength + 1;
    if (size > MAX_STRING_BYTES)
      throw new BatchRefusal(
        'HarnessRefused',
        `${place}: the value is longer than the 128 KiB that one variable holds`,
      );
    if (bytes.includes(0))
      throw new BatchRefusal('HarnessRefused', `${place}: the value holds NUL, which no variable can; encode it`);
    if (!isUtf8(bytes)) throw new BatchRefusal('HarnessRefused', `${place}: the value is not UTF-8; encode it`);
    total += size;
  }
  if (total > MAX_ALL_BYTES)
    throw new BatchRefusal(
      'HarnessRefused',
      `${field}.env is larger than 1 MiB together, more than a process starts with; mount files in the image instead`,
    );
}

async function read(source: EnvSource, place: string, directory: string): Promise<Buffer> {
  try {
    return await readFile(join(directory, envFile(source)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const kind = source.kind === 'secret' ? 'Secret' : 'ConfigMap';
    throw new BatchRefusal(
      `${kind}NotFound`,
      `${place}: there is no ${kind} ${source.name} with the key ${source.key} in this namespace`,
    );
  }
}

async function checkReferences(name: string, field: string, directory: string): Promise<void> {
  const files = await readdir(directory).catch(() => []);
  if (files.some((file) => !file.startsWith('.'))) return;
  throw new BatchRefusal(
    'ConfigMapNotFound',
    `${field}.references: there is no ConfigMap ${name}, or it is empty, in this namespace`,
  );
}
