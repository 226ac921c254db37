import { cpus, totalmem } from 'node:os';
import { readArguments, runScript, UsageError } from '../cluster/command-line.ts';
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

const USAGE = `npm run bench -- NAME [--json], where NAME is one of: ${Object.keys(BENCHES).join(', ')}`;

await runScript(async () => {
  const { values, positionals } = readArguments(USAGE, {
    options: { json: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [name = '', ...more] = positionals;
  const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (bench === undefined || more.length > 0) throw new UsageError(`usage: ${USAGE}`);
  const result = await bench();
  const machine = { cores: cpus().length, model: cpus()[0]?.model ?? '', memoryGiB: Math.round(totalmem() / 2 ** 30) };
  console.log(JSON.stringify({ ...result, machine }, null, values.json === true ? 0 : 2));
  return 0;
});
