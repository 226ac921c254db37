import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments, runScript } from '../../cluster/command-line.ts';
import { connectCdp, openPage } from '../interception/cdp-client.ts';
import { startFixtureSite } from '../interception/fixture-site.ts';
import { startInterceptionSession } from '../interception/session.ts';
import { candidatesOf, type Surface } from './surface-candidates.ts';

/**
 * `npm run channels:surface`: lists APIs of the installed Chromium that could open a network connection and were not there
 * at the last review. Three sources: the names that a page can reach, the DevTools protocol that the browser itself prints,
 * and the feature switches inside its binary. A new Chromium adds some every month; try each, make it a channel of the test
 * where it can send, and write the new list with `--accept`. Exit code 1 when there is something new.
 */
async function readSurface(): Promise<Surface> {
  const site = await startFixtureSite();
  const session = await startInterceptionSession({
    evalSchema: {},
    network: { map: [{ host: 'surface.test', address: `127.0.0.1:${site.port}` }] },
  });
  try {
    const cdp = await connectCdp(session.interception.evidenceEndpoint());
    const page = await openPage(cdp, 'https://surface.test/');
    const names = (await page.evaluate(REACHABLE)) as string[];
    const protocol = (await (await fetch(`${session.devToolsUrl}/json/protocol`)).json()) as {
      domains: { domain: string; commands?: { name: string }[] }[];
    };
    const commands = protocol.domains.flatMap(({ domain, commands = [] }) =>
      commands.map(({ name }) => `${domain}.${name}`),
    );
    cdp.close();
    return { names, commands, features: featuresOf(readFileSync(BINARY)) };
  } finally {
    await session.close();
    await site.close();
  }
}

const HEADER =
  '# Names of Chromium that may have to do with sending, as last looked through. Written by surface.ts --accept.';
const BINARY = process.env['CLAWBENCH_CHROMIUM'] ?? '/usr/lib/chromium/chromium';

/** Interfaces of the page, members of `navigator`, and elements' URL-valued attributes. */
const REACHABLE = `(() => {
  const members = (prefix, object) => Object.getOwnPropertyNames(object).map((name) => prefix + name);
  const elements = Object.getOwnPropertyNames(globalThis).filter((name) => /^(HTML|SVG).*Element$/.test(name));
  const attributes = elements.flatMap((name) => members(name + '.', globalThis[name].prototype));
  return [...new Set([
    ...Object.getOwnPropertyNames(globalThis),
    ...members('navigator.', Navigator.prototype),
    ...members('ServiceWorkerRegistration.', ServiceWorkerRegistration.prototype),
    ...members('document.', Document.prototype),
    ...attributes.filter((name) => /\\.(src|href|action|ping|data|poster|cite|manifest|background|attributionSrc|.*(url|uri|src|href).*)$/i.test(name)),
  ])];
})()`;

/** Chromium's feature switches are in its binary as \`kName\`. */
function featuresOf(binary: Buffer): string[] {
  const found = new Set<string>();
  for (const [, name] of binary.toString('latin1').matchAll(/\0k([A-Z][A-Za-z0-9]{5,70})(?=\0)/g))
    found.add(name as string);
  return [...found];
}

const SEEN = join(import.meta.dirname, 'surface-seen.txt');

const USAGE = `npm run channels:surface [-- --accept]
  --accept   write the new list of names`;

async function main(): Promise<number> {
  const { values } = readArguments(USAGE, { options: { accept: { type: 'boolean', default: false } } });
  const surface = await readSurface();
  const candidates = candidatesOf(surface);
  const seen = readFileSync(SEEN, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const fresh = candidates.filter((name) => !seen.includes(name));
  console.log(
    `${surface.names.length} names, ${surface.commands.length} commands, ${surface.features.length} features; ${candidates.length} may have to do with sending, ${fresh.length} of them new`,
  );
  for (const name of fresh) console.log(`new: ${name}`);
  for (const name of seen.filter((known) => !candidates.includes(known))) console.log(`no longer there: ${name}`);
  if (values.accept) writeFileSync(SEEN, `${HEADER}\n${candidates.join('\n')}\n`);
  else if (fresh.length > 0)
    console.log('try each; if it can send, make it a channel (channels.ts); then run this again with --accept');
  return fresh.length > 0 && !values.accept ? 1 : 0;
}

if (import.meta.filename === process.argv[1]) await runScript(main);
