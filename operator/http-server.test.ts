import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { startHttpServer } from './http-server.ts';

it('serves health, readiness with its reason, and metrics', async () => {
  let why: string | null = 'waiting for the caches to sync';
  const server = await startHttpServer(0, new Registry(), () => why);
  const get = async (path: string): Promise<string> => {
    const reply = await fetch(`http://127.0.0.1:${String(server.port)}${path}`);
    return `${String(reply.status)} ${(await reply.text()).trim()}`;
  };
  expect(await get('/healthz')).toBe('200 ok');
  expect(await get('/readyz')).toBe('503 waiting for the caches to sync');
  why = null;
  expect(await get('/readyz')).toBe('200 ok');
  expect(await get('/metrics?x=1')).toBe('200 ');
  expect(await get('/secrets')).toBe('404 not found');
  await server.close();
});
