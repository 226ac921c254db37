import { build } from 'esbuild';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readArguments, runScript } from '../test/cluster/command-line.ts';
import { pdfkitWithStandardFonts } from './pdfkit-plugin.ts';

/**
 * `npm run build`: one file per program in dist/. Images contain only this file, so that a change of the code is a small
 * layer, and images need no package manager.
 */

const ROOT = join(import.meta.dirname, '..');

/** Bundle name → entry file. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  recorder: 'sidecar/main.ts',
  guard: 'sidecar/interception/guard-thread/main.ts',
  models: 'sidecar/model-gateway/main.ts',
  operator: 'operator/main.ts',
  mail: 'mail/catch-all/main.ts',
  judge: 'jobs/judge/main.ts',
  prepare: 'jobs/prepare/main.ts',
  sweep: 'jobs/sweep/main.ts',
  cli: 'cli/main.ts',
  'random-click': 'images/harness-random-click/random-click.ts',
  replay: 'images/harness-replay/replay.ts',
  probe: 'images/harness-probe/probe.ts',
};

/** Some bundled packages call `require`, which ES modules do not have. */
const BANNER = `import { createRequire as __createRequire } from 'node:module';
import { dirname as __pathDirname } from 'node:path';
import { fileURLToPath as __fileURLToPath } from 'node:url';
const require = __createRequire(import.meta.url);
const __filename = __fileURLToPath(import.meta.url);
const __dirname = __pathDirname(__filename);`;

/**
 * Bundles the named programs (all by default) into dist/.
 * @returns bytes by name; a program whose entry file does not exist is skipped with a message
 */
export async function bundle(
  names: readonly string[] = Object.keys(PROGRAMS),
): Promise<Readonly<Record<string, number>>> {
  const entries = names
    .map((name) => [name, join(ROOT, PROGRAMS[name] ?? `unknown program ${name}`)] as const)
    .filter(([name, entry]) => existsSync(entry) || say(`${name}: skipped, because ${entry} does not exist`));
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  await build({
    entryPoints: Object.fromEntries(entries),
    outdir: join(ROOT, 'dist'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    plugins: [pdfkitWithStandardFonts],
    banner: { js: BANNER },
    define: { 'process.env.CLAWBENCH_VERSION': JSON.stringify(version) },
    // Not minified further: readable stack traces are worth a third of the size.
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'error',
  });
  const size = async (name: string): Promise<number> => (await stat(join(ROOT, 'dist', `${name}.js`))).size;
  return Object.fromEntries(await Promise.all(entries.map(async ([name]) => [name, await size(name)] as const)));
}

function say(line: string): false {
  process.stderr.write(`${line}\n`);
  return false;
}

if (process.argv[1] === import.meta.filename) {
  await runScript(async () => {
    readArguments('Usage: npm run build\n\nBundles each program into one file in dist/.', {});
    for (const [name, size] of Object.entries(await bundle()))
      console.log(`dist/${name}.js  ${(size / 1e6).toFixed(2)} MB`);
    return 0;
  });
}
