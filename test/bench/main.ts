import { cpus, totalmem } from 'node:os';
import { interceptionLargeBody } from './interception-large-body.ts';
import { interceptionLatency } from './interception-latency.ts';
import { judgeThroughput } from './judge-throughput.ts';
import { recorderCpu } from './recorder-cpu.ts';
import { runOverhead } from './run-overhead.ts';

/** `npm run bench -- NAME [--json]`: one benchmark; with --json the last line is one JSON object. */
const BENCHES: Readonly<Record<string, () => Promise<object>>> = {
  'interception-large-body': interceptionLargeBody,
  'interception-latency': interceptionLatency,
  'judge-throughput': judgeThroughput,
  'recorder-cpu': recorderCpu,
  'run-overhead': runOverhead,
};

const [name = '', ...flags] = process.argv.slice(2);
const bench = BENCHES[name];
if (bench === undefined) {
  console.error(`usage: npm run bench -- NAME [--json], where NAME is one of: ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}
const result = await bench();
const machine = { cores: cpus().length, model: cpus()[0]?.model ?? '', memoryGiB: Math.round(totalmem() / 2 ** 30) };
if (flags.includes('--json')) console.log(JSON.stringify({ ...result, machine }));
else console.log(JSON.stringify({ ...result, machine }, null, 2));
