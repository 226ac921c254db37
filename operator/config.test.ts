import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import type { readConfig as read } from './config.ts';

it('the bundled operator knows its version, whatever its environment contains', async () => {
  const outfile = join(mkdtempSync(join(tmpdir(), 'config-')), 'config.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'config.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    minifySyntax: true,
    define: { 'process.env.CLAWBENCH_VERSION': '"1.2.3"' },
  });
  const { readConfig } = (await import(pathToFileURL(outfile).href)) as { readConfig: typeof read };
  const images = JSON.stringify({ recorder: 'r', browser: 'b', judge: 'j', harnesses: {} });
  expect(readConfig({ CLAWBENCH_IMAGES: images }).version).toBe('1.2.3');
});
