import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { parseModels } from '../../benchmark/models/models-file.ts';
import {
  gatewayConfig,
  MODEL_CALLS_DIR,
  MODEL_CALLS_FILES,
  MODEL_GATEWAY_PORT,
  MODELS_SECRET_DIR,
} from '../../benchmark/protocol/model-gateway.ts';
import { isFirstStart } from '../first-start.ts';
import { agentFacts } from './agent-facts.ts';
import { loadPrices } from './load-prices.ts';
import { reportFailure, reportReady } from './status-files.ts';
import { startModelGateway } from './server.ts';

/**
 * The sidecar `models`: the reverse proxy between one run's harness and its model. It exits at SIGTERM, which kubelet
 * sends after the harness has exited. A failure is reported to the recorder, which ends the attempt; exiting would only
 * make kubelet start another.
 */

const log = pino({ base: null }, pino.destination({ fd: 2, sync: true }));

async function main(env: NodeJS.ProcessEnv, directory: string): Promise<() => Promise<void>> {
  const config = gatewayConfig.parse(JSON.parse(env['CLAWBENCH_MODELS'] ?? 'null'));
  const secrets = env['CLAWBENCH_MODELS_SECRET_DIR'] ?? MODELS_SECRET_DIR;
  const text = await readFile(join(secrets, config.modelsKey), 'utf8').catch(() => {
    throw new Error(`the models Secret does not exist or has no key ${config.modelsKey}`);
  });
  const model = parseModels(text).get(config.model);
  if (model === undefined) throw new Error(`the models file has no model ${config.model}`);
  const onProblem = (problem: string): void => log.warn({ problem }, 'no list prices for model calls');
  const prices = await loadPrices(secrets, config.pricesKey, model, { onProblem });
  const port = Number(env['CLAWBENCH_MODELS_PORT'] ?? MODEL_GATEWAY_PORT);
  const gateway = await startModelGateway({ config, model, prices, port, directory, log });
  reportReady(directory, agentFacts(text, model, gateway.baseUrl));
  log.info({ model: model.name, apiType: model.apiType, keys: model.keys.length }, 'model gateway listening');
  return () => gateway.close();
}

async function start(env: NodeJS.ProcessEnv, directory: string): Promise<() => Promise<void>> {
  try {
    // Its totals died with the first one, so its caps would begin at zero: a restarted gateway must not carry a call.
    const isFirst = isFirstStart(join(directory, MODEL_CALLS_FILES.started));
    if (!isFirst) throw new Error('it died and was restarted by kubelet');
    return await main(env, directory);
  } catch (error) {
    // Only the message: an error object of the parser could contain a line of the Secret.
    const message = error instanceof Error ? error.message : 'unknown';
    log.fatal({ message }, 'model gateway failed');
    reportFailure(directory, message);
    const parked = setInterval(() => undefined, 2 ** 30);
    return () => Promise.resolve(clearInterval(parked));
  }
}

const close = await start(process.env, process.env['CLAWBENCH_MODEL_CALLS_DIR'] ?? MODEL_CALLS_DIR);
const end = (): void => {
  void close().then(() => process.exit(0));
};
process.once('SIGTERM', end).once('SIGINT', end);
