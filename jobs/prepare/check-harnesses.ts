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

/** `execve` allows 2 MiB for all variables, including the prompt and those of the image. */
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
 * Checks that the Secrets and ConfigMaps that the harness containers use exist and that their values fit: with a missing
 * Secret the kubelet would wait until the attempt's deadline, in every attempt.
 * @throws BatchRefusal that names the field, never a value
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
        `${place}: the value is longer than 128 KiB, the limit of one environment variable`,
      );
    if (bytes.includes(0))
      throw new BatchRefusal(
        'HarnessRefused',
        `${place}: the value contains a NUL byte, which an environment variable cannot hold; encode the value`,
      );
    if (!isUtf8(bytes))
      throw new BatchRefusal(
        'HarnessRefused',
        `${place}: the value is not valid UTF-8; encode it, for example as base64`,
      );
    total += size;
  }
  if (total > MAX_ALL_BYTES)
    throw new BatchRefusal(
      'HarnessRefused',
      `${field}.env: the variables are larger than 1 MiB in total, more than a process can start with; put the data into files of the image`,
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
      `${place}: ${kind} ${source.name} with key ${source.key} not found in this namespace`,
    );
  }
}

async function checkReferences(name: string, field: string, directory: string): Promise<void> {
  const files = await readdir(directory).catch(() => []);
  if (files.some((file) => !file.startsWith('.'))) return;
  throw new BatchRefusal(
    'ConfigMapNotFound',
    `${field}.references: ConfigMap ${name} not found in this namespace, or it is empty`,
  );
}
