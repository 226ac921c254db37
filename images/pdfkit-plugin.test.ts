import { build } from 'esbuild';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personResume } from '../benchmark/persona/resume.ts';
import { pdfkitWithStandardFonts } from './pdfkit-plugin.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pdfkit-'));
});
afterAll(() => rm(dir, { recursive: true }));

/** The module as an image has it: bundled, with nothing beside it. */
async function bundled(entry: string): Promise<Record<string, unknown>> {
  const outfile = join(dir, 'out.mjs');
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
  const plugins = [pdfkitWithStandardFonts];
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', banner, plugins });
  return (await import(outfile)) as Record<string, unknown>;
}

describe('pdfkit in a bundle', () => {
  it('writes the résumé with the standard fonts', async () => {
    const module = await bundled(join(import.meta.dirname, '../sidecar/task/resume-pdf.ts'));
    const resumePdf = module['resumePdf'] as (content: unknown) => Promise<Uint8Array>;
    const pdf = Buffer.from(await resumePdf(personResume('someone@example.test'))).toString('latin1');
    expect(pdf.startsWith('%PDF-1.')).toBe(true);
    expect(pdf).toMatch(/\/BaseFont \/Helvetica-Bold\b/);
    expect(pdf.trimEnd().endsWith('%%EOF')).toBe(true);
  });
});
