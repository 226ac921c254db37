import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import type { ContainerState, ContainerStatus, PodCondition, PodObject } from './pod-status.ts';
import { STOP_MESSAGE, STOP_REASON } from './stop-annotations.ts';

/** Pods for tests, built in the order in which a kubelet would report them. Times are seconds after {@link T0}. */
export const T0 = Date.parse('2026-01-01T00:00:00Z');
export const at = (second: number): string => new Date(T0 + second * 1000).toISOString().replace('.000Z', 'Z');

export const runningState = (second: number): ContainerState => ({ running: { startedAt: at(second) } });
export const waitingState = (reason: string, message?: string): ContainerState => ({
  waiting: { reason, ...(message === undefined ? {} : { message }) },
});
export const terminatedState = (
  second: number,
  rest: { exitCode?: number; reason?: string; message?: string } = {},
): ContainerState => ({
  terminated: { exitCode: 0, startedAt: at(0), finishedAt: at(second), ...rest },
});

interface Draft {
  metadata: { -readonly [Key in keyof PodObject['metadata']]: PodObject['metadata'][Key] };
  spec: { nodeName?: string; activeDeadlineSeconds?: number };
  status: {
    phase: string;
    reason?: string;
    message?: string;
    podIP?: string;
    conditions: PodCondition[];
    init: ContainerStatus[];
    main: ContainerStatus[];
  };
}

export class PodBuilder {
  private readonly draft: Draft = {
    metadata: {
      name: 'r-a1',
      namespace: 'bench',
      uid: 'pod-uid',
      creationTimestamp: at(0),
      labels: { 'claw-bench.com/attempt': '1' },
    },
    spec: {},
    status: { phase: 'Pending', conditions: [], init: [], main: [] },
  };

  named(name: string, attempt: number): this {
    this.draft.metadata.name = name;
    this.draft.metadata.uid = `uid-of-${name}`;
    this.draft.metadata.labels = { 'claw-bench.com/attempt': String(attempt) };
    return this;
  }
  condition(type: string, status: string, reason?: string, message?: string): this {
    const rest = { ...(reason === undefined ? {} : { reason }), ...(message === undefined ? {} : { message }) };
    this.draft.status.conditions.push({ type, status, lastTransitionTime: at(50), ...rest });
    return this;
  }
  on(node: string, second = 50): this {
    this.draft.spec.nodeName = node;
    this.draft.status.conditions.push({ type: 'PodScheduled', status: 'True', lastTransitionTime: at(second) });
    return this;
  }
  container(name: string, state: ContainerState, rest: Partial<ContainerStatus> = {}): this {
    const list = name === 'harness' ? this.draft.status.main : this.draft.status.init;
    list.push({ name, image: `${name}:1`, restartCount: 0, state, ...rest });
    return this;
  }
  /** Recorder since 2 s, browser armed since 6 s, harness since 7 s. */
  working(): this {
    return this.on('node-1')
      .container('recorder', runningState(2), { started: true })
      .container('browser', runningState(3), { started: true })
      .container('harness', runningState(7), { started: true });
  }
  phase(phase: string, reason?: string, message?: string): this {
    Object.assign(this.draft.status, {
      phase,
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message }),
    });
    return this;
  }
  deleted(second: number, graceSeconds: number): this {
    this.draft.metadata.deletionTimestamp = at(second + graceSeconds);
    this.draft.metadata.deletionGracePeriodSeconds = graceSeconds;
    return this;
  }
  stopped(reason: string, message: string): this {
    this.draft.metadata.annotations = { [STOP_REASON]: reason, [STOP_MESSAGE]: message };
    this.draft.spec.activeDeadlineSeconds = 1;
    return this;
  }
  build(): PodObject {
    const { init, main, ...status } = this.draft.status;
    return {
      metadata: this.draft.metadata,
      spec: this.draft.spec,
      status: { ...status, initContainerStatuses: init, containerStatuses: main },
    };
  }
}
export const aPod = (): PodBuilder => new PodBuilder();

/** A report as the recorder writes it. */
export function aReport(change: Partial<OutcomeMessage> = {}): OutcomeMessage {
  return {
    v: 1,
    attempt: 1,
    outcome: 'Failed',
    reason: 'AgentExited',
    message: 'The agent exited without the terminal request.',
    stopReason: 'agent_exited',
    resultCategory: 'model_not_intercepted',
    intercepted: false,
    evidence: 'Complete',
    prefix: 'none/batch-b--null--none/none/0001-x-r1/a1/',
    times: { started: T0, armed: T0 + 6000, agentStarted: T0 + 7000, stopped: T0 + 40_000, evidenceSafe: T0 + 42_000 },
    counts: { actions: 3, requests: 9, screenshots: 2, bytes: 1000 },
    usage: { costUSD: null, tokens: 0, apiCalls: 0 },
    isolation: 'Namespace',
    agentIsolated: false,
    mailboxRemoved: false,
    claimedByAttempt: null,
    ...change,
  };
}
