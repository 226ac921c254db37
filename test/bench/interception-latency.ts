import { type Contender, quantile, rounded } from './contender.ts';
import { ourSide } from './our-side.ts';
import { smallRequests, startSmallSite } from './small-site.ts';
import { upstreamSide } from './upstream-side.ts';

const ROUNDS = 20;
const PER_ROUND = 100;

interface Side {
  readonly p50: number;
  readonly p99: number;
  /** Per 1,000 requests, of everything but the browser. */
  readonly cpuSeconds: number;
}

export interface InterceptionLatency {
  readonly name: 'interception-latency';
  readonly requests: number;
  /** Milliseconds from the page's call to its answer. */
  readonly ours: Side;
  readonly upstream: Side;
  /** Ours to upstream's. */
  readonly ratio: { readonly p50: number; readonly p99: number; readonly cpu: number };
}

/** Small POSTs through ours and through upstream's server, in turns, so that a busy second hits both. */
export async function interceptionLatency(): Promise<InterceptionLatency> {
  const site = await startSmallSite();
  const sides: Contender[] = [];
  try {
    sides.push(await ourSide(site), await upstreamSide(site));
    const [ours, upstream] = await measure(sides);
    if (ours === undefined || upstream === undefined) throw new Error('a side is missing');
    const ratio = {
      p50: rounded(ours.p50 / upstream.p50),
      p99: rounded(ours.p99 / upstream.p99),
      cpu: rounded(ours.cpuSeconds / upstream.cpuSeconds),
    };
    return { name: 'interception-latency', requests: ROUNDS * PER_ROUND, ours, upstream, ratio };
  } finally {
    for (const side of sides) await side.close();
    await site.close();
  }
}

async function measure(sides: readonly Contender[]): Promise<Side[]> {
  const tabs = await Promise.all(sides.map((side) => side.page('http://shop.test/')));
  const times: number[][] = sides.map(() => []);
  const cpu = sides.map(() => 0);
  for (let round = -1; round < ROUNDS; round++) {
    for (const [i, side] of sides.entries()) {
      const before = side.cpu();
      const taken = (await tabs[i]?.evaluate(smallRequests(PER_ROUND))) as number[];
      if (!Array.isArray(taken) || taken.length !== PER_ROUND)
        throw new Error(`${side.name}: ${JSON.stringify(taken)}`);
      // The first round warms up connections and compilers.
      if (round < 0) continue;
      times[i]?.push(...taken);
      cpu[i] = (cpu[i] ?? 0) + side.cpu() - before;
    }
  }
  return sides.map((_, i) => ({
    p50: rounded(quantile(times[i] ?? [], 0.5)),
    p99: rounded(quantile(times[i] ?? [], 0.99)),
    cpuSeconds: rounded(((cpu[i] ?? NaN) / (ROUNDS * PER_ROUND)) * 1000),
  }));
}
