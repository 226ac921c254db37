import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pushSuite } from '../../cli/tasks/push.ts';
import { readSuiteFolder } from '../../cli/tasks/read-folder.ts';
import { createClient } from '../../kube/client.ts';
import { kubectl } from '../e2e-cluster/commands.ts';

const DEMO = join(import.meta.dirname, '../../test-cases/demo');

/** Stores the demo's tasks as suite `demo` and its references as ConfigMap `demo-references`. */
export async function pushDemoSuite(namespace: string): Promise<void> {
  const client = createClient();
  try {
    await pushSuite(client, namespace, 'demo', await readSuiteFolder(join(DEMO, 'tasks')));
  } finally {
    await client.close();
  }
  const files = (await readdir(join(DEMO, 'references'))).flatMap((name) => [
    '--from-file',
    join(DEMO, 'references', name),
  ]);
  const manifest = await kubectl([
    '-n',
    namespace,
    'create',
    'configmap',
    'demo-references',
    ...files,
    '--dry-run=client',
    '-o',
    'yaml',
  ]);
  await kubectl(['apply', '--server-side', '-f', '-'], { input: manifest });
}
