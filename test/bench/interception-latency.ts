import { type BenchSide, quantile, rounded } from './bench-side.ts';
import { ourSide } from './our-side.ts';
import { smallRequests, startSmallSite } from './small-site.ts';
import { upstreamSide } from './upstream-side.ts';

/** Enough that a garbage collection, which happens once or twice in a session, does not decide the figure. */
const ROUNDS = 50;
const PER_ROUND = 100;

interface Side {
  readonly p50: number;
  readonly p99: number;
  /** Per 1,000 requests, of every process except the browser. */
  readonly cpuSeconds: number;
}

interface Compared {
  /** Milliseconds from the page's call to its response. */
  readonly ours: Side;
  readonly upstream: Side;
  /** Ratio of ours to upstream's. */
  readonly ratio: { readonly p50: number; readonly p99: number; readonly cpu: number };
}

export interface InterceptionLatency {
  readonly name: 'interception-latency';
  readonly requests: number;
  /** As most sites: the gateway forwards end-to-end TLS. */
  readonly https: Compared;
  /** As self-hosted copies: the gateway handles HTTP itself. */
  readonly http: Compared;
}

/** Small POSTs through ours and through upstream's server, alternating, so that a busy second affects both. */
export async function interceptionLatency(): Promise<InterceptionLatency> {
  const site = await startSmallSite();
  const sides: BenchSide[] = [];
  try {
    sides.push(await ourSide(site), await upstreamSide(site));
    const https = await measure(sides, `https://127.0.0.1:${String(site.tlsPort)}/`);
    const http = await measure(sides, 'http://shop.test/');
    return { name: 'interception-latency', requests: ROUNDS * PER_ROUND, https, http };
  } finally {
    for (const side of sides) await side.close();
    await site.close();
  }
}

async function measure(sides: readonly BenchSide[], url: string): Promise<Compared> {
  const samplers = await Promise.all(sides.map((side) => samplerOf(side, url)));
  // The first round warms up connections and compilers.
  for (const { round } of samplers) await round(false);
  for (let n = 0; n < ROUNDS; n++) for (const { round } of samplers) await round(true);
  const [ours, upstream] = samplers.map(({ result }) => result());
  if (ours === undefined || upstream === undefined) throw new Error('a side is missing');
  const ratio = {
    p50: rounded(ours.p50 / upstream.p50),
    p99: rounded(ours.p99 / upstream.p99),
    cpu: rounded(ours.cpuSeconds / upstream.cpuSeconds),
  };
  return { ours, upstream, ratio };
}

interface Sampler {
  readonly round: (counts: boolean) => Promise<void>;
  readonly result: () => Side;
}

async function samplerOf(side: BenchSide, url: string): Promise<Sampler> {
  const tab = await side.page(url);
  const times: number[] = [];
  let cpu = 0;
  return {
    round: async (counts) => {
      const before = side.cpu();
      const taken = await tab.evaluate(smallRequests(PER_ROUND));
      if (!Array.isArray(taken)) throw new Error(`${side.name}: ${JSON.stringify(taken)}`);
      if (!counts) return;
      times.push(...(taken as number[]));
      cpu += side.cpu() - before;
    },
    result: () => ({
      p50: rounded(quantile(times, 0.5)),
      p99: rounded(quantile(times, 0.99)),
      cpuSeconds: rounded((cpu / times.length) * 1000),
    }),
  };
}
