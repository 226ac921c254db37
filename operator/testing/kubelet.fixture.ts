import { mailboxName } from '../../benchmark/mailbox/address.ts';
import { makesMailboxes } from '../../benchmark/mailbox/settings.ts';
import { judgeRow, type JudgeRow } from '../../benchmark/protocol/job-messages.ts';
import { attemptPrefix } from '../../benchmark/protocol/names.ts';
import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import type { RunConfig } from '../../benchmark/protocol/run-config.ts';
import { API_VERSION, BATCH_KIND } from '../../crds/group.ts';
import type { ClawBenchRunStatus } from '../../crds/status/run-status.ts';
import type { Job, Pod } from '../../kube/kinds.ts';
import { controllerOf, ownerReference, type KubeObject, type Live } from '../../kube/object.ts';
import { aTask } from '../batch/batch.fixture.ts';
import { aReport } from '../pod/pod.fixture.ts';
import type { Spending } from '../progress/usage-sum.ts';
import type { World } from './world.fixture.ts';

/** What happens to a pod of a run: a report, or an end without one. */
export type Fate = Partial<OutcomeMessage> | 'OOMKilled';

export interface Script {
  readonly tasks: readonly string[];
  /** By run and attempt, in the order in which pods were created. */
  readonly fate: (run: string, attempt: number) => Fate;
  /** What a Job's program reports instead of doing its work; undefined: it works. */
  readonly job?: ((name: string) => object | 'stuck' | undefined) | undefined;
  /** The verdicts for a row, instead of passing every intercepted request. */
  readonly verdicts?: ((row: JudgeRow) => ClawBenchRunStatus['verdicts']) | undefined;
  /** The usage that a pod's recorder reports while it works; undefined: none. */
  readonly spends?: ((run: string, attempt: number) => Spending) | undefined;
  /** A pod starts only when the ConfigMaps that it mounts exist; otherwise they need not. */
  readonly requireMounts?: boolean | undefined;
}

type Loose = Live<KubeObject> & {
  spec?: { containers?: unknown };
  status?: Record<string, unknown>;
  data?: Record<string, string>;
};

/** Plays scheduler, kubelet and the two Jobs' programs: each pod works for one turn and then ends. */
export class Kubelet {
  /** Pods of runs that were ever seen, by run. */
  readonly seen = new Map<string, Set<string>>();
  mostAtOnce = 0;
  /** UIDs of the pods that wrote evidence, by the prefix they wrote to. */
  readonly evidence = new Map<string, Set<string>>();
  /** Runs that had an agent, one entry for each. */
  readonly agents: string[] = [];
  /** Mailboxes that exist. */
  readonly mailboxes = new Set<string>();
  /** Sweep Jobs that ran. */
  readonly sweeps: string[] = [];
  /** Attempts with verdict files: those stay, and are not paid for again. */
  private readonly verdicts = new Set<string>();
  /** The content of `<run>/claim.json`, by the run's prefix. */
  private readonly claims = new Map<string, OutcomeMessage>();
  private readonly world: World;
  private readonly script: Script;
  constructor(world: World, script: Script) {
    this.world = world;
    this.script = script;
  }

  turn(): void {
    for (const job of this.world.stores.jobs.list()) this.ensureJobPod(job);
    const pods = this.world.stores.pods.list() as Loose[];
    const acting = pods.filter((pod) => controllerOf(pod)?.kind === 'ClawBenchRun' && !isOver(pod));
    this.mostAtOnce = Math.max(this.mostAtOnce, acting.length);
    for (const pod of pods) {
      if (isOver(pod)) continue;
      if (this.script.job?.(controllerOf(pod)?.name ?? '') === 'stuck') continue;
      if (pod.status === undefined || pod.status['phase'] === 'Pending') this.startOrWait(pod);
      else this.end(pod);
    }
  }

  private ensureJobPod(job: Live<Job>): void {
    if (job.spec?.suspend === true) return;
    const name = `${job.metadata.name}-pod`;
    if (this.world.find('pods', name) !== undefined) return;
    const { labels = {}, namespace = '' } = job.metadata;
    this.world.put('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace, labels, ownerReferences: [ownerReference(job)] },
      spec: job.spec?.template.spec,
    } as KubeObject);
  }

  private startOrWait(pod: Loose): void {
    if (this.script.requireMounts !== true || !this.lacksMap(pod)) return this.start(pod);
    const creating = { waiting: { reason: 'ContainerCreating' } };
    this.set(pod, 'Pending', [], [{ name: controllerOf(pod)?.kind === 'Job' ? 'main' : 'harness', state: creating }]);
  }

  private start(pod: Loose): void {
    const owner = controllerOf(pod);
    if (owner?.kind === 'ClawBenchRun') {
      const names = this.seen.get(owner.name) ?? new Set();
      this.seen.set(owner.name, names.add(pod.metadata.name));
      this.speak(pod, owner.name);
      if (makesMailboxes(configOf(pod).mail.provider)) this.mailboxes.add(mailboxOf(pod));
    }
    const running = { running: { startedAt: new Date(this.world.now).toISOString() } };
    const main = owner?.kind === 'Job' ? 'main' : 'harness';
    const sidecars =
      main === 'main' ? [] : ['recorder', 'browser'].map((name) => ({ name, started: true, state: running }));
    this.set(pod, 'Running', sidecars, [{ name: main, started: true, state: running }]);
  }

  private speak(pod: Loose, run: string): void {
    const spent = this.script.spends?.(run, numberOf(pod));
    if (spent === undefined) return;
    const { costUSD = null, tokens = 0, apiCalls = 0 } = spent;
    const answer = { phase: 'Running', timeLimitSeconds: null, costUSD, tokens, apiCalls };
    this.world.progress.set(pod.metadata.uid, answer);
  }

  private end(pod: Loose): void {
    const owner = controllerOf(pod);
    const message = this.finish(pod, owner);
    // The recorder does not respond any more, and the poll forgets it.
    this.world.progress.delete(pod.metadata.uid);
    const terminated = message === 'OOMKilled' ? { exitCode: 137, reason: 'OOMKilled' } : { exitCode: 0, message };
    const main = owner?.kind === 'Job' ? 'main' : 'harness';
    this.set(pod, message === 'OOMKilled' ? 'Failed' : 'Succeeded', [], [{ name: main, state: { terminated } }]);
  }

  private lacksMap(pod: Loose): boolean {
    const { volumes = [] } = this.specOf(pod);
    return volumes.some(
      ({ configMap }) =>
        configMap?.name !== undefined &&
        configMap.optional !== true &&
        this.world.find('configmaps', configMap.name) === undefined,
    );
  }

  /** Of a pod, or of the Job that owns it. */
  private specOf(pod: Loose): NonNullable<Pod['spec']> {
    const job = this.world.stores.jobs.get(`bench/${controllerOf(pod)?.name ?? ''}`);
    return (job?.spec?.template.spec ?? pod.spec) as NonNullable<Pod['spec']>;
  }

  private finish(pod: Loose, owner: ReturnType<typeof controllerOf>): string {
    if (owner?.kind === 'Job') return this.finishJob(pod, owner.name);
    return owner?.kind === 'ClawBenchRun' ? this.finishRun(pod, owner.name) : '';
  }

  private set(pod: Loose, phase: string, initContainerStatuses: object[], containerStatuses: object[]): void {
    this.world.put('pods', {
      ...pod,
      spec: { ...pod.spec, nodeName: 'node-1' },
      status: { phase, initContainerStatuses, containerStatuses },
    } as KubeObject);
  }

  private finishRun(pod: Loose, run: string): string {
    const attempt = numberOf(pod);
    const config = configOf(pod);
    const claim = this.claims.get(config.runPrefix);
    if (claim !== undefined) return this.report(pod, { ...claim, attempt, claimedByAttempt: claim.attempt });
    const prefix = attemptPrefix(config);
    this.evidence.set(prefix, (this.evidence.get(prefix) ?? new Set()).add(pod.metadata.uid));
    this.agents.push(run);
    const fate = this.script.fate(run, attempt);
    if (fate === 'OOMKilled') return fate;
    const report = aReport({ attempt, prefix, ...fate });
    if (report.outcome !== 'Infrastructure') this.claims.set(config.runPrefix, report);
    return this.report(pod, report);
  }

  private report(pod: Loose, report: OutcomeMessage): string {
    this.mailboxes.delete(mailboxOf(pod));
    return JSON.stringify({ ...report, mailboxRemoved: true });
  }

  private finishJob(pod: Loose, job: string): string {
    const instead = this.script.job?.(job);
    if (typeof instead === 'object') return JSON.stringify(instead);
    if (job.startsWith('sweep-')) return this.sweep(job);
    return job.includes('-prepare-') ? this.prepare(pod) : this.judge(job);
  }

  private sweep(name: string): string {
    this.sweeps.push(name);
    this.mailboxes.delete(name.replace('sweep-', ''));
    const job = this.world.find('jobs', name);
    const conditions = [{ type: 'Complete', status: 'True' }];
    if (job !== undefined) this.world.put('jobs', { ...job, status: { conditions } } as KubeObject);
    return '';
  }

  private prepare(pod: Loose): string {
    const name = pod.metadata.labels?.['claw-bench.com/batch'] ?? '';
    const uid = this.world.find('clawbenchbatches', name)?.metadata.uid ?? '';
    const data = { 'tasks.json': JSON.stringify(this.script.tasks.map(aTask)) };
    const ownerReferences = [{ apiVersion: API_VERSION, kind: BATCH_KIND, name, uid, controller: true }];
    if (this.world.find('configmaps', `${name}-tasks`) === undefined) {
      this.world.put('configmaps', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `${name}-tasks`, ownerReferences },
        data,
      } as KubeObject);
    }
    return JSON.stringify({ ok: true, tasks: this.script.tasks.length, models: ['m1'] });
  }

  /** Passes every intercepted request, and closes what is to be promoted. */
  private judge(job: string): string {
    const list = this.world.find('configmaps', job) as Loose | undefined;
    const rows = (JSON.parse(list?.data?.['runs.json'] ?? '[]') as unknown[]).map((row) => judgeRow.parse(row));
    for (const row of rows) {
      const run = this.world.find('clawbenchruns', row.run) as Loose | undefined;
      if (run === undefined) continue;
      const said = this.script.verdicts?.(row) ?? { Strict: { match: true }, Lenient: { match: true } };
      const verdicts = row.action === 'Judge' ? { verdicts: said } : {};
      const closed = { prefix: row.prefix, time: new Date(this.world.now).toISOString() };
      this.world.put('clawbenchruns', { ...run, status: { ...run.status, ...verdicts, closed } } as KubeObject);
    }
    const judged = rows.filter((row) => row.action === 'Judge').length;
    const asked = rows.filter((row) => row.action === 'Judge' && !this.verdicts.has(row.prefix)).length;
    for (const { prefix } of rows) this.verdicts.add(prefix);
    return JSON.stringify({
      ok: true,
      judged,
      unjudged: 0,
      promoted: rows.length - judged,
      summarised: 4,
      usage: { costUSD: 0.25 * asked, tokens: 10 * asked, apiCalls: asked, unpricedCalls: 0 },
      reason: 'Judged',
      message: 'done',
    });
  }
}

function numberOf(pod: Loose): number {
  return Number(pod.metadata.labels?.['claw-bench.com/attempt']);
}

function mailboxOf(pod: Loose): string {
  const { runUID, attempt } = configOf(pod);
  return mailboxName(runUID, attempt);
}

/** The settings that the operator gave to the pod's recorder. */
function configOf(pod: Loose): RunConfig {
  const { initContainers = [] } = pod.spec as NonNullable<Pod['spec']>;
  const variables = initContainers.flatMap((container) => container.env ?? []);
  return JSON.parse(variables.find((one) => one.name === 'CLAWBENCH_RUN')?.value ?? '{}') as RunConfig;
}

function isOver(pod: Loose): boolean {
  return ['Succeeded', 'Failed'].includes(String(pod.status?.['phase']));
}
