import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parse } from 'yaml';
import { startChildProgram } from './child.ts';
import { BadInput } from './options.ts';

const DEMO = join(import.meta.dirname, '..', '..', 'test-cases', 'demo');
const START_MS = 20_000;
const END_MS = 2_000;

/** A task of the demo whose site runs on this machine. */
export interface DemoTask {
  /** Folder of the task. */
  readonly task: string;
  /** `HOST=127.0.0.1:PORT` for each host of the demo. */
  readonly map: readonly string[];
  /** Command that plays the task's recorded reference. */
  readonly replay: string;
  /** Number of terminal requests that reached the site. Anything but 0 means that blocking failed. */
  arrivals(): Promise<number>;
  end(): Promise<void>;
}

/**
 * Starts the demo's sites for one of its tasks.
 * @param wanted name of the task's folder, a part of it, or its number (`1`, `005`, `papermill`)
 * @throws BadInput outside a clone, and unless exactly one task matches
 */
export async function startDemo(wanted: string): Promise<DemoTask> {
  if (!existsSync(join(DEMO, 'site')))
    throw new BadInput(
      '--demo only works in a clone of the repository, which contains the sites of the demo (test-cases/demo)',
    );
  const name = pickTask(wanted, readdirSync(join(DEMO, 'tasks')));
  const site = startChildProgram(process.execPath, [join(DEMO, 'site', 'server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', CLAWBENCH_LIFELINE: 'stdin' },
  });
  try {
    const port = await portOf(site.process.stdout as Readable);
    const replayer = join(DEMO, '..', '..', 'images', 'harness-replay', 'replay.ts');
    const reference = join(DEMO, 'references', `${name}.jsonl`);
    return {
      task: join(DEMO, 'tasks', name),
      map: hosts().map((host) => `${host}=127.0.0.1:${String(port)}`),
      replay: `CLAWBENCH_REFERENCE=${quoted(reference)} exec ${quoted(process.execPath)} ${quoted(replayer)}`,
      arrivals: async () => {
        const reply = await fetch(`http://127.0.0.1:${String(port)}/arrivals`);
        return ((await reply.json()) as unknown[]).length;
      },
      end: () => site.end(END_MS),
    };
  } catch (error) {
    await site.end(END_MS);
    throw error;
  }
}

/** The one name that matches `wanted`. @throws BadInput that lists the candidates */
export function pickTask(wanted: string, names: readonly string[]): string {
  const number = /^\d+$/.test(wanted) ? `demo-${wanted.padStart(3, '0')}-` : null;
  const meant = names.filter((name) => (number === null ? name.includes(wanted) : name.startsWith(number)));
  const [only, ...more] = meant;
  if (only !== undefined && more.length === 0) return only;
  if (only !== undefined) throw new BadInput(`--demo ${wanted} matches several tasks: ${meant.join(', ')}`);
  const numbers = names.map((name) => Number(/^demo-(\d+)/.exec(name)?.[1])).join(', ');
  throw new BadInput(
    `--demo ${wanted} matches no task; use a number (${numbers}) or a part of a name in ${DEMO}/tasks`,
  );
}

/** Every host that the demo's batch maps. */
function hosts(): readonly string[] {
  const batch = parse(readFileSync(join(DEMO, 'batch.yaml'), 'utf8')) as {
    spec: { network: { map: { host: string }[] } };
  };
  return batch.spec.network.map.map(({ host }) => host);
}

/** The port in the first line that the site prints. */
async function portOf(stdout: Readable): Promise<number> {
  const lines = createInterface({ input: stdout });
  const [line] = (await once(lines, 'line', { signal: AbortSignal.timeout(START_MS) })) as [string];
  return Number(/port (\d+)/.exec(line)?.[1]);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
