import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BODY, BODY_BYTES, q, type Channel } from './channel.ts';

/** An extension whose worker sends what a page of the test site tells it to. Its downloads permission is the registry's matter. */
export function writeExtension(dir: string): string {
  const path = join(dir, 'extension');
  mkdirSync(path, { recursive: true });
  const manifest = {
    manifest_version: 3,
    name: 'sender',
    version: '1',
    host_permissions: ['<all_urls>'],
    background: { service_worker: 'background.js' },
    content_scripts: [{ matches: ['<all_urls>'], js: ['content.js'], run_at: 'document_start' }],
  };
  writeFileSync(join(path, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(
    join(path, 'content.js'),
    "addEventListener('message', ({ data }) => data.send && chrome.runtime.sendMessage(data.send));",
  );
  writeFileSync(
    join(path, 'background.js'),
    `chrome.runtime.onMessage.addListener((url) => { void fetch(url, { method: 'POST', body: ${q(BODY)} }); });`,
  );
  return path;
}

export const EXTENSION: readonly Channel[] = [
  {
    name: "an extension's worker",
    method: 'POST',
    matched: 'intercepted',
    body: BODY_BYTES,
    script: (url) => `postMessage({ send: ${q(url)} })`,
  },
];
