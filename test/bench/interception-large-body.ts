import type { Page } from '../browser/interception/cdp-client.ts';
import { type BenchSide, quantile, rounded } from './bench-side.ts';
import { ourSide } from './our-side.ts';
import { smallRequests, startSmallSite } from './small-site.ts';
import { upstreamSide } from './upstream-side.ts';

const ROUNDS = 6;
const BODY_BYTES = 8 * 1024 * 1024;

interface Side {
  /** Latency of small requests in another tab while nothing else happens, in milliseconds. */
  readonly idleP99: number;
  /** The same from the moment a tab posts 8 MB until its response. */
  readonly besideP99: number;
  readonly addedMs: number;
  /** Median time of the large request itself. */
  readonly largeMs: number;
}

export interface InterceptionLargeBody {
  readonly name: 'interception-large-body';
  readonly rounds: number;
  readonly ours: Side;
  readonly upstream: Side;
  readonly ratio: { readonly addedMs: number };
}

/** What an 8 MB POST in one tab does to small requests in another, in turns through both. */
export async function interceptionLargeBody(): Promise<InterceptionLargeBody> {
  const site = await startSmallSite();
  const sides: BenchSide[] = [];
  try {
    sides.push(await ourSide(site), await upstreamSide(site));
    const pairs = await Promise.all(sides.map(openPair));
    const samples = pairs.map((): Samples => ({ idle: [], beside: [], large: [] }));
    for (let round = 0; round < ROUNDS; round++)
      for (const [i, pair] of pairs.entries()) await sample(pair, samples[i] ?? { idle: [], beside: [], large: [] });
    const [ours, upstream] = samples.map(summary);
    if (ours === undefined || upstream === undefined) throw new Error('a side is missing');
    const ratio = { addedMs: rounded(ours.addedMs / upstream.addedMs) };
    return { name: 'interception-large-body', rounds: ROUNDS, ours, upstream, ratio };
  } finally {
    for (const side of sides) await side.close();
    await site.close();
  }
}

interface Pair {
  readonly small: Page;
  readonly large: Page;
}
interface Samples {
  readonly idle: number[];
  readonly beside: number[];
  readonly large: number[];
}

async function openPair(side: BenchSide): Promise<Pair> {
  const small = await side.page('http://shop.test/');
  const large = await side.page('http://shop.test/large');
  await large.evaluate(`globalThis.body = 'x'.repeat(${String(BODY_BYTES)}); 0`);
  await small.evaluate(smallRequests(50));
  return { small, large };
}

async function sample({ small, large }: Pair, samples: Samples): Promise<void> {
  samples.idle.push(...((await small.evaluate(smallRequests(100))) as number[]));
  let posting = true;
  const post = large
    .evaluate(
      `(async () => { const from = performance.now(); await (await fetch('/api/large', { method: 'POST', body })).text(); return performance.now() - from })()`,
    )
    .finally(() => (posting = false));
  while (posting) samples.beside.push(...((await small.evaluate(smallRequests(5))) as number[]));
  samples.large.push((await post) as number);
}

function summary({ idle, beside, large }: Samples): Side {
  const [idleP99, besideP99] = [quantile(idle, 0.99), quantile(beside, 0.99)];
  return {
    idleP99: rounded(idleP99),
    besideP99: rounded(besideP99),
    addedMs: rounded(besideP99 - idleP99),
    largeMs: rounded(quantile(large, 0.5)),
  };
}
