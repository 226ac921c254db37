import { parseArgs } from 'node:util';
import { killRecorder } from './kill.ts';

/** `npm run kill-test -- [--kills 100] [--requests 10]`: the long form of the kill test. Exit code 1 on a leak. */
const { values } = parseArgs({ options: { kills: { type: 'string' }, requests: { type: 'string' } } });
const kills = Number(values.kills ?? 100);
const requests = Number(values.requests ?? 10);
if (!(Number.isInteger(kills) && kills > 0 && Number.isInteger(requests) && requests > 0)) {
  console.error('usage: npm run kill-test -- [--kills N] [--requests N], both above 0');
  process.exit(2);
}
const started = Date.now();
const result = await killRecorder({
  kills,
  requests,
  onRound: (round) => {
    if (round % 10 === 0) console.log(`${round} of ${kills} kills, ${Math.round((Date.now() - started) / 1000)} s`);
  },
});
console.log(
  `${kills} kills with ${result.held} requests held: ${result.leaked.length} leaked; the browser was gone after ${result.slowestEndMs} ms at the latest`,
);
for (const leak of result.leaked) console.log(`leaked: ${leak}`);
process.exitCode = result.leaked.length > 0 ? 1 : 0;
