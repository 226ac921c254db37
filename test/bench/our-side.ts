import { makeWorkplace, startLocal } from '../browser/local/command.ts';
import { createBenchSide, type BenchSide } from './bench-side.ts';
import type { SmallSite } from './small-site.ts';
import { tree } from './process-cpu.ts';

/**
 * A local session without a screen: the recorder as in a Pod, with every layer except video. Its forwarders count as ours;
 * the command that started it does not.
 */
export async function ourSide(site: SmallSite): Promise<BenchSide> {
  const place = makeWorkplace({ url_pattern: 'shop\\.test/api/order', method: 'POST' }, { time_limit: 30 });
  const map = `shop.test=127.0.0.1:${String(site.port)}`;
  const command = startLocal([
    '--task',
    place.task,
    '--out',
    place.out,
    '--headless',
    '--map',
    map,
    '--allow',
    `127.0.0.1:${String(site.tlsPort)}`,
  ]);
  const armed = await command.next('armed');
  const pids = (): number[] =>
    tree(command.process.pid ?? 0)
      .filter(({ pid, name }) => pid === armed.pids?.recorder || name === 'socat')
      .map(({ pid }) => pid);
  return createBenchSide('ours', armed.cdp ?? '', pids, async () => {
    command.process.kill('SIGTERM');
    await command.exited;
    place.remove();
  });
}
