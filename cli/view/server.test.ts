import { mkdir, symlink } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBundle, aFolder, PATH, writeFiles } from './bundle.fixture.ts';
import { startViewServer, type ViewServer } from './server.ts';

let server: ViewServer;
const SECRET = 'not for readers';

beforeAll(async () => {
  const root = await aBundle();
  const outside = await aFolder();
  await writeFiles(outside, { 'secret.txt': SECRET, 'run-meta.json': { instruction: SECRET } });
  await writeFiles(root, { 'private.txt': SECRET, '.hidden/run-meta.json': {} });
  await writeFiles(root, { [`${PATH}/data/page.html`]: '<script>1</script>', [`${PATH}/data/empty.log`]: '' });
  await symlink(join(outside, 'secret.txt'), join(root, PATH, 'data/link.txt'));
  await symlink(outside, join(root, 'linked'));
  await mkdir(join(root, PATH, 'data/folder'));
  server = await startViewServer(root, 0);
});
afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The path goes out as it stands: `fetch` would tidy it up. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: server.port, path, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts).toString() });
      });
    });
    call.on('error', reject);
    call.end();
  });
}

it('serves index, run page and files', async () => {
  expect((await ask('/')).body).toContain(`/run/${PATH}`);
  expect((await ask(`/run/${PATH}`)).body).toContain('Buy one.');
  expect((await ask(`/file/${PATH}/data/recording.mp4`)).body).toBe('0123456789');
  expect(await ask('/app.js')).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/javascript; charset=utf-8' },
  });
});

it('serves byte ranges', async () => {
  const file = `/file/${PATH}/data/recording.mp4`;
  expect(await ask(file, { range: 'bytes=2-4' })).toMatchObject({
    status: 206,
    headers: { 'content-range': 'bytes 2-4/10', 'content-length': '3', 'content-type': 'video/mp4' },
    body: '234',
  });
  expect(await ask(file, { range: 'bytes=-2' })).toMatchObject({ status: 206, body: '89' });
  expect(await ask(file, { range: 'bytes=10-' })).toMatchObject({
    status: 416,
    headers: { 'content-range': 'bytes */10' },
  });
  expect(await ask(file)).toMatchObject({ status: 200, headers: { 'accept-ranges': 'bytes' } });
  expect(await ask(`/file/${PATH}/data/empty.log`)).toMatchObject({ status: 200, body: '' });
});

it.each([
  '/file/../../../../../../etc/passwd',
  '/file/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  '/file/..%2f..%2f..%2fetc%2fpasswd',
  '/file//etc/passwd',
  `/file/${PATH}/data/..%5c..%5csecret.txt`,
  `/file/${PATH}/data/link.txt`,
  `/file/${PATH}/../../../../../private.txt`,
  `/file/${PATH}/data/recording.mp4%00.png`,
  '/file/%E0%A4%A',
  '/file/linked/secret.txt',
  '/file/private.txt',
  '/file/.hidden/run-meta.json',
  `/file/${PATH}/data`,
  `/file/${PATH}/data/folder`,
  '/run/linked',
  '/run/..',
  '/run/.hidden',
  '/check/linked',
  '/nothing',
])('has nothing at %s', async (path) => {
  const answer = await ask(path);
  expect(answer.status).toBe(404);
  expect(answer.body).not.toContain(SECRET);
});

it.each(['evil.test', `evil.test:80`, '127.0.0.1.evil.test'])('refuses the host %s', async (host) => {
  for (const path of ['/', '/app.js', `/file/${PATH}/run-meta.json`]) {
    expect(await ask(path, { host })).toMatchObject({
      status: 403,
      body: 'This server only accepts requests to localhost.\n',
    });
  }
});

it.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])('refuses %s', async (method) => {
  expect(await ask('/', {}, method)).toMatchObject({ status: 405, headers: { allow: 'GET' } });
});

it('does not let scripts in a bundle run', async () => {
  const policy = (await ask('/')).headers['content-security-policy'];
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(await ask(`/file/${PATH}/data/page.html`)).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    },
  });
});

it('checks the manifest, and reports files that it does not list', async () => {
  const report = JSON.parse((await ask(`/check/${PATH}`)).body) as { ok: boolean; problems: string[]; files: number };
  expect(report.files).toBe(6);
  expect(report.problems).toEqual(['data/empty.log is not in the manifest.', 'data/page.html is not in the manifest.']);
});

it('checks a manifest with paths outside the bundle without reading them', async () => {
  const root = await aBundle();
  const file = { path: '../../../../../../../../etc/passwd', size: 1, sha256: 'a'.repeat(64) };
  const manifest = { schema: 1, complete: true, created: '', notes: [], files: [file] };
  await writeFiles(root, { 'x/run-meta.json': {}, 'x/manifest.json': manifest, 'x/data/a': '' });
  const other = await startViewServer(root, 0);
  try {
    const answer = await fetch(`http://127.0.0.1:${other.port}/check/x`);
    expect(await answer.json()).toMatchObject({
      ok: false,
      problems: [`${file.path} is missing.`, 'data/a is not in the manifest.'],
    });
  } finally {
    await other.close();
  }
});

it('refuses a folder that does not exist', async () => {
  await expect(startViewServer('/nowhere/at/all', 0)).rejects.toThrow('/nowhere/at/all is not a folder');
});

it('reports in one message that a port is in use', async () => {
  const root = await aFolder();
  const first = await startViewServer(root, 0);
  try {
    await expect(startViewServer(root, first.port)).rejects.toThrow(`port ${first.port} is in use`);
  } finally {
    await first.close();
  }
});
