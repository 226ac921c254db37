import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addRules, firewallDump, noteTables, removeRules } from './firewall.ts';
import { placesIn } from './places.ts';

/** Run in a network namespace of its own: prints both families' rules before, with and after the cluster's. */
const places = placesIn(mkdtempSync(join(tmpdir(), 'firewall-')));
const dumps = async (): Promise<string[]> => [await firewallDump(''), await firewallDump('6')];
const before = await dumps();
await noteTables(places);
await addRules();
const during = await dumps();
await removeRules(places);
console.log(JSON.stringify({ before, during, after: await dumps() }));
