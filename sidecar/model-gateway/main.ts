import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { parseModels } from '../../benchmark/models-file.ts';
import {
  gatewayConfig,
  MODEL_CALLS_DIR,
  MODEL_GATEWAY_PORT,
  MODELS_SECRET_DIR,
} from '../../benchmark/protocol/model-gateway.ts';
import { loadPrices } from './load-prices.ts';
import { startModelGateway } from './server.ts';

/** The sidecar `models`: one run's way to its model. It ends at SIGTERM, which kubelet sends after the harness is gone. */

const log = pino({ base: null }, pino.destination({ fd: 2, sync: true }));

async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const config = gatewayConfig.parse(JSON.parse(env['CLAWBENCH_MODELS'] ?? 'null'));
  const secrets = env['CLAWBENCH_MODELS_SECRET_DIR'] ?? MODELS_SECRET_DIR;
  const model = parseModels(await readFile(join(secrets, config.modelsKey), 'utf8')).get(config.model);
  if (model === undefined) throw new Error(`the models file has no model ${config.model}`);
  const prices = await loadPrices(secrets, config.pricesKey, model);
  const listen = env['CLAWBENCH_MODELS_SOCKET'] ?? Number(env['CLAWBENCH_MODELS_PORT'] ?? MODEL_GATEWAY_PORT);
  const directory = env['CLAWBENCH_MODEL_CALLS_DIR'] ?? MODEL_CALLS_DIR;
  const gateway = await startModelGateway({ config, model, prices, listen, directory, log });
  log.info({ model: model.name, apiType: model.apiType, keys: model.keys.length }, 'model gateway listens');
  const end = (): void => {
    void gateway.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', end).once('SIGINT', end);
}

try {
  await main(process.env);
} catch (error) {
  // The message alone: an object of the parser could hold a line of the Secret.
  log.fatal({ message: error instanceof Error ? error.message : 'unknown' }, 'model gateway cannot start');
  process.exitCode = 1;
}
