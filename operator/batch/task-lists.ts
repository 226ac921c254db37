import { z } from 'zod';
import { taskRow, type TaskRow } from '../../benchmark/protocol/job-messages.ts';
import { unpackRows } from '../../benchmark/protocol/row-list.ts';
import type { Batch } from '../../kube/clawbench-kinds.ts';
import type { KubeClient } from '../../kube/client.ts';
import { CONFIG_MAPS } from '../../kube/kinds.ts';
import type { Live } from '../../kube/object.ts';
import { controllerOf } from '../../kube/object.ts';
import { resource } from '../../kube/resource.ts';
import type { TaskLists } from '../deps.ts';
import { tasksConfigMapName } from './judge-job.ts';

const rows = z.array(taskRow);

/** Reads `<batch>-tasks` once per batch: it is immutable, and a thousand runs need it. */
export function createTaskLists(client: KubeClient): TaskLists {
  const known = new Map<string, readonly TaskRow[]>();
  return {
    of: async (batch: Live<Batch>): Promise<readonly TaskRow[] | null> => {
      const { uid, name, namespace } = batch.metadata;
      const cached = known.get(uid);
      if (cached !== undefined) return cached;
      const found = await resource(client, CONFIG_MAPS, namespace).find(tasksConfigMapName(name));
      if (found === null || controllerOf(found)?.uid !== uid) return null;
      const parsed = rows.safeParse(unpackRows('tasks.json', found));
      if (!parsed.success) return null;
      known.set(uid, parsed.data);
      return parsed.data;
    },
    forget: (uid) => {
      known.delete(uid);
    },
  };
}
