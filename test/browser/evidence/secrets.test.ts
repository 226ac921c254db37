import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeWorkplace, startLocal, type LocalCommand, type Workplace } from '../local/command.ts';
import { startShopSite, type ShopSite } from '../local/shop-site.ts';

/** Keys like those of providers, with characters that URLs and base64 encode. */
const PLANTED = {
  OPENAI_API_KEY: 'sk-planted-4f9c1e77a2b8d0',
  AWS_SECRET_ACCESS_KEY: 'wJalr/planted+K7MDENG=bPxRfi',
  API_KEYS: '["pk-planted-in-a-list-0001"]',
};

let site: ShopSite;
let place: Workplace;
let command: LocalCommand;
beforeAll(async () => {
  site = await startShopSite();
  place = makeWorkplace({ url_pattern: 'shop\\.test/api/order', method: 'POST' }, { time_limit: 2 });
  const harness = `node ${join(import.meta.dirname, 'leaky-harness.ts')}`;
  const map = `shop.test=127.0.0.1:${String(site.port)}`;
  const args = ['--task', place.task, '--out', place.out, '--headless', '--map', map, '--harness', harness];
  command = startLocal(args, PLANTED);
  await command.exited;
}, 120_000);
afterAll(async () => {
  await site.close();
  place.remove();
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}

/** The text and its decoded forms: found independently of the redactor's list of encodings. */
function readings(text: string): string {
  const base64 = [...text.matchAll(/[A-Za-z0-9+/_-]{12,}/g)].flatMap(([token]) =>
    [0, 1, 2, 3].map((skip) => Buffer.from(token.slice(skip), 'base64').toString('latin1')),
  );
  const unescaped = text.replaceAll('\\', '');
  const percent = text.replace(/%[0-9a-f]{2}/gi, (hex) => String.fromCharCode(parseInt(hex.slice(1), 16)));
  return [text, unescaped, percent, ...base64].join('\n');
}

it('reached its terminal request, so that every layer was exercised', () => {
  expect(
    command.events.find(({ event }) => event === 'finished'),
    command.log(),
  ).toMatchObject({ outcome: 'Passed' });
  const files = filesBelow(place.out);
  expect(files).toEqual(
    expect.arrayContaining(
      ['requests.jsonl', 'actions.jsonl', 'agent-messages.jsonl', 'interception.json', 'logs/agent.log'].map((name) =>
        join('data', name),
      ),
    ),
  );
  for (const file of ['requests.jsonl', 'actions.jsonl', 'agent-messages.jsonl', 'interception.json', 'logs/agent.log'])
    expect(place.read(join('data', file)), file).toContain('[REDACTED]');
});

it.each(['sk-planted-4f9c1e77a2b8d0', 'wJalr/planted+K7MDENG=bPxRfi', 'pk-planted-in-a-list-0001'])(
  'leaves %s in no artefact, in no spelling',
  (secret) => {
    const holding = filesBelow(place.out).filter((name) => {
      const bytes = readFileSync(join(place.out, name));
      return readings(bytes.toString('latin1')).includes(secret);
    });
    expect(holding).toEqual([]);
  },
);

it('has rows that are still JSON', () => {
  for (const name of ['requests.jsonl', 'actions.jsonl', 'agent-messages.jsonl'])
    for (const line of place.read(join('data', name)).trim().split('\n'))
      expect(() => JSON.parse(line) as unknown).not.toThrow();
});

it('finds a secret that is present', () => {
  const secret = 'wJalr/planted+K7MDENG=bPxRfi';
  for (const text of [secret, encodeURIComponent(secret), Buffer.from(`x:${secret}`).toString('base64')])
    expect(readings(`{"a":"${text}"}`)).toContain(secret);
});
