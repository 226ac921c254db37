import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { importSuite } from '../../cli/tasks/upstream-suite.ts';
import { kubectl } from '../bed/commands.ts';
import { answerReferences } from '../../cli/tasks/references.ts';
import { pushSuite } from '../../cli/tasks/push.ts';
import { createClient } from '../../kube/client.ts';
import { CONFIG_MAPS } from '../../kube/kinds.ts';
import { resource } from '../../kube/resource.ts';

/** Tasks of claw-eval that the demo runs: the first four in task order. */
const HOW_MANY = 4;
const NAME = 'claw-eval';

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
 * Imports upstream's claw-eval and starts a batch of four of its tasks beside the demo's. Where the package cannot be
 * had it says so and the demo goes on.
 * @returns the batch's name, or null.
 */
export async function importClawEval(namespace: string): Promise<string | null> {
  try {
    const files = await importSuite(NAME);
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
    await kubectl(['apply', '-f', '-'], { input: await clawEvalBatch() });
    return NAME;
  } catch (error) {
    console.error(`  claw-eval is left out: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

/** The demo's batch with the imported suite in its place. */
async function clawEvalBatch(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '../../test-cases/demo/batch.yaml'), 'utf8');
  const batch = parse(text) as BatchDocument;
  batch.metadata.name = NAME;
  batch.spec.suite = { name: NAME, configMapRef: { name: NAME }, select: { limit: HOW_MANY } };
  batch.spec.artifacts.s3.prefix = NAME;
  batch.spec.judge = { ...batch.spec.judge, rubrics: ['Answer'], passRubric: 'Answer' };
  // A third of the runs beside the demo's two at a time: more Pods at once than that only wait for two cores.
  batch.spec.parallelism = 1;
  for (const harness of batch.spec.harnesses)
    if (harness.name === 'replay') harness.references = { name: `${NAME}-references` };
  return stringify(batch);
}
