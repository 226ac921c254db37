import { pino } from 'pino';
import { Registry } from 'prom-client';
import { OPERATOR_FIELD_MANAGER } from '../crds/group.ts';
import { LEASE_NAME } from '../crds/rbac.ts';
import { createClient } from '../kube/client.ts';
import { startElector } from '../kube/elector.ts';
import { createEventRecorder } from '../kube/events.ts';
import { createKubeMetrics } from '../kube/metrics.ts';
import { readConfig } from './config.ts';
import { startOperator, type Operator } from './controllers.ts';
import { startHttpServer } from './http-server.ts';
import { createOperatorMetrics } from './metrics.ts';

/**
 * The operator's program. Only the leader watches and reconciles; a standby costs one Lease request every two seconds.
 * A lost lease ends the process, because requests in flight cannot be called back.
 */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = pino({ name: 'operator', level: config.logLevel });
  const registry = new Registry();
  const kubeMetrics = createKubeMetrics(registry);
  let operator: Operator | null = null;
  const metrics = createOperatorMetrics(registry, () => operator?.runs ?? null, config.version);
  const client = createClient({ metrics: kubeMetrics, userAgent: `clawbench-operator/${config.version}` });
  const events = createEventRecorder({ client, component: OPERATOR_FIELD_MANAGER, instance: config.podName, log });
  let notReady: string | null = null;
  const http = await startHttpServer(config.port, registry, () => notReady);

  const elector = startElector({
    client,
    namespace: config.podNamespace,
    name: LEASE_NAME,
    log,
    metrics: kubeMetrics,
    onLeading: () => {
      notReady = 'waiting for the caches to sync';
      operator = startOperator({ client, config, events, metrics, kubeMetrics, log });
      operator.started.then(
        () => {
          notReady = null;
          log.info({ port: http.port }, 'caches synced; reconciling');
        },
        (error: unknown) => log.error({ err: error }, 'the controllers could not start'),
      );
    },
  });

  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    await operator?.stop();
    await elector.stop();
    await events.flush();
    await http.close();
    await client.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

await main();
