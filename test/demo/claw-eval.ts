import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { readSuite } from '../../benchmark/task/suite.ts';
import { importSuite } from '../../cli/tasks/upstream-suite.ts';
import { kubectl } from '../e2e-cluster/commands.ts';
import { answerReferences } from './answer-references.ts';
import { pushSuite } from '../../cli/tasks/push.ts';
import { createClient } from '../../kube/client.ts';
import { CONFIG_MAPS } from '../../kube/kinds.ts';
import { resource } from '../../kube/resource.ts';

const NAME = 'claw-eval';

/** A batch of imported tasks beside the demo's own. */
export interface Imported {
  readonly name: string;
  readonly tasks: number;
}

interface BatchDocument {
  metadata: { name: string };
  spec: {
    suite: unknown;
    harnesses: { name: string; references?: unknown }[];
    parallelism: number;
    judge: { rubrics: string[]; passRubric?: string };
    artifacts: { s3: { prefix: string } };
  };
}

/**
 * Imports upstream's claw-eval and starts a batch of its first tasks beside the demo's. Where the package cannot be had
 * it says so and the demo goes on.
 * @param limit at most so many tasks.
 */
export async function importClawEval(namespace: string, limit: number): Promise<Imported | null> {
  try {
    const files = await importSuite(NAME);
    const tasks = Math.min(limit, readSuite(files).cases.length);
    const client = createClient();
    try {
      await pushSuite(client, namespace, NAME, files);
      const maps = resource(client, CONFIG_MAPS, namespace);
      await maps.apply(
        {
          metadata: { name: `${NAME}-references` },
          data: { ...answerReferences(files) },
        },
        { fieldManager: 'demo' },
      );
    } finally {
      await client.close();
    }
    await kubectl(['apply', '-f', '-'], { input: await clawEvalBatch(tasks) });
    return { name: NAME, tasks };
  } catch (error) {
    console.error(`  claw-eval is left out: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

/** The demo's batch with the imported suite in its place. */
async function clawEvalBatch(tasks: number): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '../../test-cases/demo/batch.yaml'), 'utf8');
  const batch = parse(text) as BatchDocument;
  batch.metadata.name = NAME;
  batch.spec.suite = { name: NAME, configMapRef: { name: NAME }, select: { limit: tasks } };
  batch.spec.artifacts.s3.prefix = NAME;
  batch.spec.judge = { ...batch.spec.judge, rubrics: ['Answer'], passRubric: 'Answer' };
  // Beside the demo's two at a time: more Pods at once than that only wait for two cores.
  batch.spec.parallelism = 1;
  // Only the ceiling: what the floor comes to, the demo's own batch shows.
  batch.spec.harnesses = [{ name: 'replay', references: { name: `${NAME}-references` } }];
  return stringify(batch);
}
