import { countOf, readArguments, runScript } from '../../cluster/command-line.ts';
import { killRecorder } from './kill.ts';

/** `npm run kill-test -- [--kills 100] [--requests 10]`: the long version of the kill test. Exit code 1 on a leak. */
const USAGE = `npm run kill-test [-- OPTIONS]
  --kills N      how often the recorder is killed (100)
  --requests N   requests that are held each time (10)`;

await runScript(async () => {
  const { values } = readArguments(USAGE, {
    options: { kills: { type: 'string', default: '100' }, requests: { type: 'string', default: '10' } },
  });
  const kills = countOf('--kills', values.kills);
  const started = Date.now();
  const result = await killRecorder({
    kills,
    requests: countOf('--requests', values.requests),
    onRound: (round) => {
      if (round % 10 === 0) console.log(`${round} of ${kills} kills, ${Math.round((Date.now() - started) / 1000)} s`);
    },
  });
  console.log(
    `${kills} kills with ${result.held} requests held: ${result.leaked.length} leaked; the browser was gone after ${result.slowestEndMs} ms at the latest`,
  );
  for (const leak of result.leaked) console.log(`leaked: ${leak}`);
  return result.leaked.length > 0 ? 1 : 0;
});
