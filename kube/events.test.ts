import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEventRecorder, type EventRecorder } from './events.ts';
import { EVENTS, type Event } from './kinds.ts';
import type { KubeObject, Live } from './object.ts';
import { resource } from './resource.ts';
import { fakeClock, type FakeClock } from './testing/fake-clock.ts';
import { startFaultServer, type FaultServer } from './testing/fault-server.ts';

let server: FaultServer;
let clock: FakeClock;
let recorder: EventRecorder;
beforeEach(async () => {
  server = await startFaultServer();
  clock = fakeClock();
  recorder = createEventRecorder({
    client: server.client({ timeoutMs: 500 }),
    component: 'clawbench-operator',
    instance: 'pod-1',
    log: pino({ level: 'silent' }),
    burst: 5,
    refillMs: 1_000,
    clock,
  });
});
afterEach(() => server.close());

const run = (name = 'r', uid = 'u'): Live<KubeObject> => ({
  apiVersion: 'clawbench.io/v1alpha1',
  kind: 'ClawBenchRun',
  metadata: { name, namespace: 'ns', uid, resourceVersion: '5', creationTimestamp: '' },
});
const stored = async (): Promise<Live<Event>[]> => {
  await recorder.flush();
  return (await resource(server.client(), EVENTS).list()).items;
};

describe('an event recorder', () => {
  it('writes what kubectl describe shows', async () => {
    recorder.event(run(), 'Warning', 'PodFailed', 'The pod failed.');
    const [event] = await stored();
    expect(event).toMatchObject({
      involvedObject: { kind: 'ClawBenchRun', name: 'r', namespace: 'ns', uid: 'u' },
      type: 'Warning',
      reason: 'PodFailed',
      message: 'The pod failed.',
      count: 1,
      firstTimestamp: '2030-01-01T00:00:00Z',
      source: { component: 'clawbench-operator' },
      reportingInstance: 'pod-1',
    });
    expect(server.seen[0]?.path).toBe('/api/v1/namespaces/ns/events');
  });

  it('counts repeats in one event', async () => {
    for (let index = 0; index < 3; index += 1) {
      recorder.event(run(), 'Normal', 'Started', 'Again.');
      await clock.advance(1_000);
    }
    const events = await stored();
    expect(events.map((event) => [event.count, event.lastTimestamp])).toEqual([[3, '2030-01-01T00:00:02Z']]);
  });

  it('creates a new event when the old one has expired', async () => {
    recorder.event(run(), 'Normal', 'Started', 'Again.');
    const [first] = await stored();
    server.api.remove('events', first?.metadata.name ?? '');
    recorder.event(run(), 'Normal', 'Started', 'Again.');
    expect((await stored()).map((event) => event.count)).toEqual([1]);
  });

  it('limits the events of one object, not of others, and refills', async () => {
    for (let index = 0; index < 20; index += 1) recorder.event(run(), 'Normal', 'Flood', `Number ${index}.`);
    recorder.event(run('other', 'u2'), 'Normal', 'Calm', 'One.');
    expect(await stored()).toHaveLength(6);
    await clock.advance(2_000);
    for (let index = 0; index < 20; index += 1) recorder.event(run(), 'Normal', 'Flood', `More ${index}.`);
    expect(await stored()).toHaveLength(8);
  });

  it('never throws, whatever the server or the caller does', async () => {
    server.fail('create', { kind: 'status', code: 403 }, { kind: 'reset' }, { kind: 'silence' });
    for (const message of ['a', 'b', 'c', 'd']) recorder.event(run(), 'Normal', 'X', message);
    recorder.event({} as Live<KubeObject>, 'Normal', 'X', 'broken');
    expect((await stored()).map((event) => event.message)).toEqual(['d']);
  });

  it('truncates what the API server would refuse', async () => {
    recorder.event(run('r'.repeat(253)), 'Normal', 'Long', 'x'.repeat(5_000));
    const [event] = await stored();
    expect(event?.message).toHaveLength(1_000);
    expect(event?.metadata.name.length).toBeLessThanOrEqual(253);
  });
});
