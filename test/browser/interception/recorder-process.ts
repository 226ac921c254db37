import { mkdirSync } from 'node:fs';
import pino from 'pino';
import { ensureBinary } from '../../../cli/local/static-binary.ts';
import { startInterception } from '../../../sidecar/interception/start.ts';
import { LISTENER } from './launch-chromium.ts';

/** Interception in a separate process that a test can kill. Arguments: run directory, port of the site, eval schema (default: one that matches nothing). Prints `armed` when it is armed. */
const [runDir = '', sitePort = '', schema = '{"url_pattern":"/never-sent","method":"POST"}'] = process.argv.slice(2);
mkdirSync(runDir, { recursive: true });
const interception = await startInterception({
  runDir,
  devToolsPort: 0,
  controlPort: 7878,
  evalSchema: JSON.parse(schema) as unknown,
  network: { allow: [`127.0.0.1:${sitePort}`], map: [] },
  isolation: 'Namespace',
  listenerProgram: await ensureBinary(LISTENER, 'listener'),
  log: pino({ level: 'silent' }),
  onEvent: () => undefined,
});
process.stdout.write('listening\n');
await interception.arm(AbortSignal.timeout(60_000));
process.stdout.write(`armed ${interception.evidenceEndpoint()}\n`);
