import type { TaskRow } from '../../benchmark/protocol/job-messages.ts';
import { packRows, RowsTooLarge, type MapContent } from '../../benchmark/protocol/row-list.ts';
import { API_VERSION, BATCH_KIND } from '../../crds/group.ts';
import type { ConfigMap } from '../../kube/kinds.ts';
import type { JobConfig } from '../pod/job-config.ts';
import { BatchRefusal } from './refusal.ts';

/**
 * The expanded task list of a batch. Immutable, so that the tasks that run are the tasks that were checked.
 * @throws BatchRefusal when it does not fit in a ConfigMap
 */
export function tasksConfigMap(job: JobConfig, rows: readonly TaskRow[]): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `${job.batch}-tasks`,
      namespace: job.namespace,
      labels: {
        'app.kubernetes.io/name': 'clawbench',
        'app.kubernetes.io/component': 'tasks',
        'app.kubernetes.io/managed-by': 'clawbench-operator',
        'claw-bench.com/batch': job.batch,
      },
      ownerReferences: [
        {
          apiVersion: API_VERSION,
          kind: BATCH_KIND,
          name: job.batch,
          uid: job.batchUID,
          controller: true,
          blockOwnerDeletion: false,
        },
      ],
    },
    immutable: true,
    ...content(rows),
  };
}

function content(rows: readonly TaskRow[]): MapContent {
  try {
    return packRows('tasks.json', rows);
  } catch (error) {
    if (!(error instanceof RowsTooLarge)) throw error;
    throw new BatchRefusal(
      'TooManyTasks',
      `spec.suite.select: the list of the ${String(rows.length)} selected tasks is ${String(error.over)} bytes larger, gzipped, than the 1 MiB that a ConfigMap can hold; select fewer tasks and split the rest into further batches`,
    );
  }
}
