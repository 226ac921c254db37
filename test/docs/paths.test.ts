import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Pages outlive the files that they name, so every relative link and every repository path in a page must exist. */

const ROOT = join(import.meta.dirname, '../..');
const IGNORED = ['node_modules', 'dist', 'coverage', '.git', 'demo-evidence', 'clawbench-local'];
const files = globSync('**/*', { cwd: ROOT, exclude: (name) => IGNORED.includes(name) });
const pages = files.filter((name) => name.endsWith('.md'));
const fileNames = new Set(files.map((name) => basename(name)));
const folderNames = new Set(files.map((name) => basename(dirname(name))));

/** First folders of paths that are not in the repository: those of a bundle, of the object store and of a cluster. */
const ELSEWHERE = ['DIR', '_batches', 'a1', 'data', 'demo-evidence', 'live', 'logs', 'suites', 'votes'];

/** The heading anchors of a page, as GitHub makes them. */
function anchors(page: string): string[] {
  return [...page.matchAll(/^#{1,6} (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const withoutBlocks = (text: string): string => text.replace(/^ *```[^]*?^ *```$/gm, '');

function deadLinks(page: string, text: string): string[] {
  return [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchors(readFileSync(join(ROOT, target), 'utf8')).includes(anchor);
    });
}

/** Words in code spans that read as a path: a file with a known ending, or a folder with its closing slash. */
function pathsIn(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, span = '']) => span.split(/\s+/))
    .map((word) => word.replace(/^\.\//, '').replace(/[,;:]$/, ''))
    .filter((word) => /^[\w.*-]+(\/[\w.*-]+)*(\.(ts|go|js|md|ya?ml|json|mod)|\/)$/.test(word))
    .filter((word) => word.includes('/') && !ELSEWHERE.includes(word.split('/')[0] ?? ''));
}

/**
 * Whether the path exists, from the root of the repository or, for the README of a folder, anywhere inside it. A single
 * folder such as `batch/` may be named without its parents.
 */
function isThere(page: string, path: string): boolean {
  if (globSync(path, { cwd: ROOT }).length > 0) return true;
  if (/^[^/]+\/$/.test(path)) return folderNames.has(path.slice(0, -1));
  return page.endsWith('/README.md') && globSync(`${dirname(page)}/**/${path}`, { cwd: ROOT }).length > 0;
}

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');

  it('has no dead link', () => {
    expect(deadLinks(page, text)).toEqual([]);
  });

  it('names only paths that exist', () => {
    expect(pathsIn(text).filter((path) => !isThere(page, path))).toEqual([]);
  });

  it('names only source files that exist', () => {
    const bare = [...withoutBlocks(text).matchAll(/`([\w.-]+\.(?:test\.ts|ts|go))`/g)].map(([, name = '']) => name);
    expect(bare.filter((name) => !fileNames.has(name))).toEqual([]);
  });
});
