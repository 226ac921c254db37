import type { Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Its Node build, which loads the standard fonts by a `require` of its own making that no bundler follows. */
const PDFKIT = join(dirname(createRequire(import.meta.url).resolve('pdfkit')), 'pdfkit.node.mjs');
const OWN_REQUIRE = /const require\$1 = createRequire\(import\.meta\.url\);/;
const FONT = /require\$1\('#standard-fonts\/(\w+)'\)/g;

/**
 * Bundles pdfkit with the standard fonts alone. fontkit, which reads font files, is left out: we embed none, and its
 * tables took a quarter of a second of CPU at every start of a recorder. Using it is an error that says so.
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
        throw new Error('pdfkit loads its fonts otherwise now');
      const contents = source.replace(OWN_REQUIRE, '').replace(FONT, "require('./standard-fonts/$1.cjs')");
      return { contents, resolveDir: dirname(PDFKIT), loader: 'js' };
    });
  },
};

const LEFT_OUT = `export function create() { throw new Error('fonts other than the standard ones are not bundled'); }`;
