import type { Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** pdfkit's Node build, which loads the standard fonts with its own `require`, which bundlers do not follow. */
const PDFKIT = join(dirname(createRequire(import.meta.url).resolve('pdfkit')), 'pdfkit.node.mjs');
const OWN_REQUIRE = /const require\$1 = createRequire\(import\.meta\.url\);/;
const FONT = /require\$1\('#standard-fonts\/(\w+)'\)/g;

/**
 * Bundles pdfkit with only the standard fonts. fontkit, which reads font files, is omitted: no font files are embedded, and
 * its tables took a quarter of a second of CPU at every start of a recorder. Its use throws an error.
 */
export const pdfkitWithStandardFonts: Plugin = {
  name: 'pdfkit-standard-fonts',
  setup(build) {
    build.onResolve({ filter: /^pdfkit$/ }, () => ({ path: PDFKIT }));
    build.onResolve({ filter: /^fontkit$/ }, () => ({ path: 'fontkit', namespace: 'left-out' }));
    build.onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: LEFT_OUT }));
    build.onLoad({ filter: /pdfkit\.node\.mjs$/ }, async () => {
      const source = await readFile(PDFKIT, 'utf8');
      if (!OWN_REQUIRE.test(source) || source.match(FONT) === null)
        throw new Error('pdfkit loads its fonts in a different way; update images/pdfkit-plugin.ts');
      const contents = source.replace(OWN_REQUIRE, '').replace(FONT, "require('./standard-fonts/$1.cjs')");
      return { contents, resolveDir: dirname(PDFKIT), loader: 'js' };
    });
  },
};

const LEFT_OUT = `export function create() { throw new Error('only the standard fonts are bundled'); }`;
