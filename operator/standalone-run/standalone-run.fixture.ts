import { API_VERSION, RUN_KIND } from '../../crds/group.ts';
import { runSpec, type ClawBenchRunSpecInput } from '../../crds/run.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Run } from '../../kube/clawbench-kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import { Kubelet, type Fate, type Script } from '../testing/kubelet.fixture.ts';
import { createOperatorRound } from '../testing/play.fixture.ts';
import { World } from '../testing/world.fixture.ts';

/** A task as a user writes it into a run. */
export const TASK = { instruction: 'Buy it.', eval_schema: { url_pattern: '/buy', method: 'POST' }, time_limit: 5 };

/** A run as a user applies it. */
export function aStandaloneRun(change: Partial<ClawBenchRunSpecInput> = {}): KubeObject & Pick<Run, 'spec'> {
  const spec = runSpec.parse({
    suite: { name: 'demo' },
    task: { inline: TASK },
    model: 'm1',
    harness: { name: 'null' },
    judge: { modelsSecretRef: { name: 'm' }, model: 'j' },
    artifacts: { s3: { bucket: 'traces', prefix: 'hand' } },
    ...change,
  });
  return { apiVersion: API_VERSION, kind: RUN_KIND, metadata: { name: 'mine' }, spec };
}

export interface StandaloneScript {
  readonly fate?: (attempt: number) => Fate;
  readonly change?: Partial<ClawBenchRunSpecInput>;
  readonly event?: (world: World, turn: number) => void;
  readonly job?: (name: string) => object | 'stuck' | undefined;
  readonly verdicts?: Script['verdicts'];
  readonly kill?: World['kill'];
  readonly turns?: number;
  /** See the kubelet's script. */
  readonly requireMounts?: boolean;
}

export interface StandalonePlay {
  readonly world: World;
  readonly kubelet: Kubelet;
  readonly run: () => ClawBenchRunStatus;
  readonly says: () => string;
  /** `True Reason: message` */
  readonly condition: (type: string) => string;
  /** Plays that many further turns of 5 s. */
  readonly turn: (count: number) => Promise<void>;
}

/** Applies one run and plays it for some turns. */
export async function playStandaloneRun(input: StandaloneScript = {}): Promise<StandalonePlay> {
  const world = new World();
  if (input.kill !== undefined) world.kill = input.kill;
  world.put('clawbenchruns', aStandaloneRun(input.change));
  const kubelet = new Kubelet(world, {
    tasks: [],
    fate: (_run, attempt) => input.fate?.(attempt) ?? {},
    job: input.job,
    requireMounts: input.requireMounts,
    verdicts: input.verdicts,
  });
  const run = (): ClawBenchRunStatus => world.stores.clawbenchruns.get('bench/mine')?.status ?? {};
  let operator = createOperatorRound(world);
  let turns = 0;
  const turn = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 1) {
      input.event?.(world, turns);
      await operator().catch(() => {
        operator = createOperatorRound(world);
      });
      kubelet.turn();
      world.now += 5000;
      turns += 1;
    }
  };
  await turn(input.turns ?? 20);
  return {
    world,
    kubelet,
    run,
    turn,
    says: () => [run().phase, run().outcome, run().reason].filter((word) => word !== undefined).join('/'),
    condition: (type) => {
      const found = run().conditions?.find((one) => one.type === type);
      return found === undefined ? 'absent' : `${found.status} ${found.reason}: ${found.message}`;
    },
  };
}
