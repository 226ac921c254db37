import type { Readable } from 'node:stream';
import {
  createConfiguration,
  ResponseContext,
  ServerConfiguration,
  wrapHttpLibrary,
  type ApiConstructor,
  type ApiType,
  type KubeConfig,
  type RequestContext,
} from '@kubernetes/client-node';
import type { Dispatcher } from 'undici';
import { sleep, systemClock } from './clock.ts';
import { createCredentials, defaultKubeConfig, type Credentials } from './credentials.ts';
import { ApiError, apiErrorFrom, ApiUnreachable } from './errors.ts';
import type { KubeMetrics } from './metrics.ts';
import { clientRetryDelayMs } from './client-retry.ts';
import { startTimeLimit, type TimeLimit } from './time-limit.ts';

export interface KubeClientOptions {
  /** Called once, and again after a 401. Default: {@link defaultKubeConfig}. */
  readonly kubeConfig?: () => KubeConfig;
  /** Time limit of a call in milliseconds, including retries and body. Default 10 s. */
  readonly timeoutMs?: number;
  /** Maximum number of connections, including watches; further calls wait within their time limit. Default 100. */
  readonly connections?: number;
  readonly userAgent?: string;
  readonly metrics?: KubeMetrics;
}

export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute path, `/api/v1/…`. */
  readonly path: string;
  /** Undefined values are omitted. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Maximum number of retries by the client itself (client-retry.ts). Default 3; 0 for the lease. */
  readonly retries?: number;
}

export interface KubeClient {
  readonly server: string;
  /** Namespace of the kubeconfig's context, or the Pod's. */
  readonly namespace: string;
  /** @throws ApiError, ApiUnreachable, or the reason of `call.signal`. */
  request<T>(call: ApiCall): Promise<T>;
  /** The body as it is. Throws like {@link KubeClient.request}. */
  text(call: ApiCall): Promise<string>;
  /**
   * A response with an endless body. `timeoutMs` limits only the wait for the response head; the caller decides how long
   * the body may be silent. Abort `signal` to end it.
   */
  stream(call: ApiCall): Promise<Readable>;
  /** client-node's typed API over the same pool, limits and errors: `client.api(CoreV1Api)`. */
  api<A extends ApiType>(type: ApiConstructor<A>): A;
  /** Drops every connection. */
  close(): Promise<void>;
}

/** A request in its final form. */
interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The client for all calls to the API server: one connection pool, a time limit for each call, typed errors. */
export function createClient(options: KubeClientOptions = {}): KubeClient {
  const credentials = createCredentials(options.kubeConfig ?? defaultKubeConfig, options.connections ?? 100);
  const userAgent = options.userAgent ?? 'clawbench';
  const send = createSend(credentials, options.metrics);

  const withRetries = async <R>(
    exchange: Exchange,
    call: Pick<ApiCall, 'timeoutMs' | 'signal' | 'retries'>,
    read: (answer: Dispatcher.ResponseData) => Promise<R>,
  ): Promise<R> => {
    const limit = startTimeLimit(call.timeoutMs ?? options.timeoutMs ?? 10_000, call.signal);
    const attempt = async (tries: number): Promise<R> => {
      try {
        return await read(await send(exchange, limit.signal));
      } catch (error) {
        const failure = asApiFailure(error, exchange, limit, call.signal);
        const wait = tries > (call.retries ?? 3) ? undefined : clientRetryDelayMs(failure, exchange.method, tries);
        if (wait === undefined || wait >= limit.left()) throw failure;
        await sleep(systemClock, wait, limit.signal);
      }
      return attempt(tries + 1);
    };
    try {
      return await attempt(1);
    } finally {
      limit.end();
    }
  };

  const exchangeOf = (call: ApiCall): Exchange => ({
    method: call.method,
    path: call.path,
    url: urlOf(credentials.server, call),
    headers: {
      accept: 'application/json',
      'user-agent': userAgent,
      ...(call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
    },
    body: call.body === undefined ? undefined : JSON.stringify(call.body),
  });

  const text = (call: ApiCall): Promise<string> => withRetries(exchangeOf(call), call, (answer) => answer.body.text());

  const sendTyped = async (request: RequestContext): Promise<ResponseContext> => {
    const url = new URL(request.getUrl());
    const body = request.getBody();
    const exchange: Exchange = {
      method: request.getHttpMethod(),
      path: url.pathname,
      url,
      headers: { ...request.getHeaders(), 'user-agent': userAgent },
      body: typeof body === 'string' ? body : undefined,
    };
    const signal = request.getSignal();
    return withRetries(exchange, signal === undefined ? {} : { signal }, async (answer) => {
      const bytes = Buffer.from(await answer.body.bytes());
      const read = { text: () => Promise.resolve(bytes.toString()), binary: () => Promise.resolve(bytes) };
      return new ResponseContext(answer.statusCode, flatHeaders(answer), { ...read, stream: () => null });
    });
  };

  return {
    server: credentials.server,
    namespace: credentials.namespace,
    request: async <T>(call: ApiCall): Promise<T> => {
      const body = await text(call);
      try {
        return JSON.parse(body) as T;
      } catch (cause) {
        throw new ApiUnreachable(`${call.method} ${call.path}: the response is not JSON`, { timedOut: false, cause });
      }
    },
    text,
    stream: (call) => openStream(exchangeOf(call), call, withRetries),
    api: (type) =>
      new type(
        createConfiguration({
          baseServer: new ServerConfiguration(credentials.server, {}),
          httpApi: wrapHttpLibrary({ send: sendTyped }),
          authMethods: { default: { getName: () => 'pool', applySecurityAuthentication: () => undefined } },
        }),
      ),
    close: () => credentials.close(),
  };
}

/** Sends and counts one request. A 401 is retried once with new credentials; an error status becomes an ApiError. */
function createSend(
  credentials: Credentials,
  metrics: KubeMetrics | undefined,
): (exchange: Exchange, signal: AbortSignal) => Promise<Dispatcher.ResponseData> {
  const { host } = new URL(credentials.server);
  const once = async (exchange: Exchange, signal: AbortSignal): Promise<Dispatcher.ResponseData> => {
    const { headers, dispatcher } = await credentials.current();
    const { method, url } = exchange;
    const count = (code: string): void => metrics?.requests.inc({ code, method, host });
    try {
      const answer = await dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: { ...exchange.headers, ...headers },
        body: exchange.body ?? null,
        signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      count(String(answer.statusCode));
      return answer;
    } catch (error) {
      count('<error>');
      throw error;
    }
  };
  return async (exchange, signal) => {
    let answer = await once(exchange, signal);
    if (answer.statusCode === 401) {
      await answer.body.dump();
      credentials.expire();
      answer = await once(exchange, signal);
    }
    if (answer.statusCode < 400) return answer;
    const retryAfter = answer.headers['retry-after'];
    throw apiErrorFrom(exchange, {
      status: answer.statusCode,
      text: await answer.body.text(),
      ...(typeof retryAfter === 'string' ? { retryAfter } : {}),
    });
  };
}

/**
 * The time limit applies until the response head has arrived; after that, only the caller's signal ends the stream.
 */
async function openStream(
  exchange: Exchange,
  call: ApiCall,
  withRetries: <R>(
    exchange: Exchange,
    call: Pick<ApiCall, 'timeoutMs' | 'signal' | 'retries'>,
    read: (answer: Dispatcher.ResponseData) => Promise<R>,
  ) => Promise<R>,
): Promise<Readable> {
  const body = await withRetries<Readable>(exchange, call, (answer) => Promise.resolve(answer.body));
  // Readers get the error of a destroyed body; an error event without a listener would end the process.
  body.on('error', () => undefined);
  const end = (): void => void body.destroy();
  if (call.signal?.aborted) end();
  call.signal?.addEventListener('abort', end, { once: true });
  body.once('close', () => call.signal?.removeEventListener('abort', end));
  return body;
}

function urlOf(server: string, call: ApiCall): URL {
  const url = new URL(server + call.path);
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function flatHeaders(answer: Dispatcher.ResponseData): Record<string, string> {
  return Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
}

/** Keeps an abort by the caller; every other failure without a response becomes {@link ApiUnreachable}. */
function asApiFailure(error: unknown, exchange: Exchange, limit: TimeLimit, outer?: AbortSignal): Error {
  if (error instanceof ApiError) return error;
  if (outer?.aborted && !limit.expired) return outer.reason instanceof Error ? outer.reason : new Error('aborted');
  const what = limit.expired ? 'no response within the time limit' : messageOf(error);
  return new ApiUnreachable(`${exchange.method} ${exchange.path}: ${what}`, { timedOut: limit.expired, cause: error });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
