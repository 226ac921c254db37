import { createServer } from 'node:http';
import type { Logger } from 'pino';
import { Agent, type Dispatcher } from 'undici';
import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import type { GatewayConfig, GatewayState } from '../../benchmark/protocol/model-gateway.ts';
import { createRedactor } from '../../benchmark/bundle/redact.ts';
import type { PriceList } from '../../benchmark/usage/price.ts';
import { listenOn } from '../listen.ts';
import { openCallFiles } from './call-files.ts';
import { callForwarder } from './forward-call.ts';
import { keyRing } from './keys.ts';
import { openLedger } from './ledger.ts';
import { answerError } from './refuse.ts';

export interface GatewayOptions {
  readonly config: GatewayConfig;
  readonly model: ModelEntry;
  readonly prices: PriceList;
  /** A port on 127.0.0.1 (0: any free one). */
  readonly port: number;
  /** The volume in which the recorder reads rows and totals. */
  readonly directory: string;
  readonly log: Logger;
  /** For tests; by default one with keep-alive. */
  readonly dispatcher?: Dispatcher;
}

export interface ModelGateway {
  /** The harness's `BASE_URL`: this port with the path of the provider's base URL. */
  readonly baseUrl: string;
  readonly state: GatewayState;
  /** Ends calls in flight and writes what is left. */
  close(): Promise<void>;
}

/** Starts the gateway of one run. */
export async function startModelGateway(options: GatewayOptions): Promise<ModelGateway> {
  const { config, model, log } = options;
  const dispatcher = options.dispatcher ?? new Agent({ allowH2: false });
  const ledger = openLedger({ harness: config.harness, model: model.name, caps: config.caps, prices: options.prices });
  const files = openCallFiles(options.directory, (error) => {
    log.error({ code: (error as NodeJS.ErrnoException).code }, 'model calls cannot be written to disk');
  });
  const forward = callForwarder({
    model,
    caps: config.caps,
    keys: keyRing(model.keys),
    ledger,
    files,
    dispatcher,
    refused: { usageOption: false },
    redact: createRedactor(model.keys),
    log,
    now: Date.now,
  });
  const running = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const call = forward(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'internal error while forwarding a model call');
      answerError(response, {
        status: 502,
        type: 'clawbench_gateway_failed',
        code: 'Network',
        message: 'internal error',
      });
    });
    running.add(call);
    void call.finally(() => running.delete(call));
  });
  // A model may think for minutes before its first byte.
  server.requestTimeout = 0;
  server.timeout = 0;
  const port = await listenOn(server, options.port);
  return {
    baseUrl: baseUrl(port, model),
    get state() {
      return ledger.state;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      // A call that is cut off now is billed all the same.
      await Promise.allSettled(running);
      await files.flush();
      if (options.dispatcher === undefined) await dispatcher.destroy();
    },
  };
}

function baseUrl(port: number, model: ModelEntry): string {
  return `http://127.0.0.1:${String(port)}${new URL(model.baseUrl).pathname.replace(/\/+$/, '')}`;
}
