import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A new temporary folder, as a real path. */
export async function aFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'view-')));
}

/** Writes files below a folder; objects become JSON, arrays JSONL. */
export async function writeFiles(root: string, files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), asText(content));
  }
}

function asText(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((row) => `${JSON.stringify(row)}\n`).join('') : JSON.stringify(content);
}

/** Path of the bundle that {@link aBundle} creates. */
export const PATH = 'm/batch-b--h--m/m/00001-01-run/a1';

/** The bundle of an agent whose request was intercepted: one click, one request. Every text field of the meta can be set. */
export function bundleFiles(meta: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    'run-meta.json': {
      test_case: 'case-1',
      instruction: 'Buy one.',
      model: 'm',
      harness: 'h',
      intercepted: true,
      duration_seconds: 65,
      clawbench: { batch: 'b', attempt: 1, repetition: 1, cause: 'intercepted', times: { agent_started: 10_000 } },
      ...meta,
    },
    'judge.json': { match: true, reason: 'as asked', judge_model: 'j' },
    'data/actions.jsonl': [
      { type: 'pageLoad', timestamp: 9000, url: 'about:blank', title: '' },
      {
        type: 'click',
        timestamp: 11_000,
        url: 'https://s.test/',
        target: { tagName: 'A', textContent: 'Go' },
        x: 1,
        y: 2,
      },
    ],
    'data/requests.jsonl': [
      { timestamp: 11.5, url: 'https://s.test/buy', method: 'POST', headers: {}, body: { n: 1 } },
    ],
    'data/agent-messages.jsonl': [{ type: 'assistant', message: { role: 'assistant', content: 'I click.' } }],
    'data/interception.json': {
      intercepted: true,
      request: { url: 'https://s.test/buy', method: 'POST', body: { n: 1 }, timestamp: 11.5 },
    },
    'data/recording.mp4': '0123456789',
    'data/screenshots/11000.png': 'png',
  };
}

/** A folder with one bundle that matches its manifest. */
export async function aBundle(meta: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const root = await aFolder();
  const files = bundleFiles(meta);
  const manifest = {
    schema: 1,
    complete: true,
    created: '2026-01-01T00:00:00Z',
    notes: [],
    files: Object.entries(files)
      .filter(([path]) => path.startsWith('data/'))
      .map(([path, content]) => {
        const text = asText(content);
        return { path, size: text.length, sha256: createHash('sha256').update(text).digest('hex') };
      }),
  };
  const all = Object.entries({ ...files, 'manifest.json': manifest });
  await writeFiles(root, Object.fromEntries(all.map(([path, content]) => [`${PATH}/${path}`, content])));
  return root;
}
