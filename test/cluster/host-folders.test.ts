import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { placesIn } from './places.ts';
import { restoreHostFolders, recordHostFolders, HOST_FOLDERS } from './host-folders.ts';

const POD = 'ns_pod_54ba8950-b1be-4b4f-a3a3-a9ee05b21fe6';
const OLD = 'ns_old_64ba8950-b1be-4b4f-a3a3-a9ee05b21fe6';

it('what the cluster left goes; what was there before, and what is none of its names, stays', async () => {
  const root = mkdtempSync(join(tmpdir(), 'shared-'));
  const places = placesIn(join(root, 'data'));
  const moved = HOST_FOLDERS.map((one) => ({ ...one, dir: join(root, one.dir) }));
  const [containers = '', pods = '', cni = ''] = moved.map(({ dir }) => dir);
  mkdirSync(join(pods, OLD), { recursive: true });
  await recordHostFolders(places, moved);
  mkdirSync(join(pods, POD, 'operator'), { recursive: true });
  // A second up after a killed one: what the first one made is not the machine's own.
  await recordHostFolders(places, moved);
  mkdirSync(containers);
  symlinkSync('/nowhere', join(containers, 'a.log'));
  mkdirSync(cni, { recursive: true });
  writeFileSync(join(cni, 'cni.lock'), '');
  writeFileSync(join(pods, 'notes.txt'), '');
  await restoreHostFolders(places, moved);
  expect(readdirSync(pods).sort()).toEqual(['notes.txt', OLD]);
  expect([containers, cni, join(root, 'etc/cni')].map((dir) => existsSync(dir))).toEqual([false, false, false]);
  await restoreHostFolders(places, moved);
  expect(readdirSync(pods).sort()).toEqual(['notes.txt', OLD]);
});

it('a CNI configuration that another program added meanwhile stays', async () => {
  const root = mkdtempSync(join(tmpdir(), 'shared-'));
  const places = placesIn(join(root, 'data'));
  const moved = HOST_FOLDERS.map((one) => ({ ...one, dir: join(root, one.dir) }));
  await recordHostFolders(places, moved);
  const cni = join(root, '/etc/cni/net.d');
  mkdirSync(cni, { recursive: true });
  for (const name of ['cni.lock', '10-other.conflist']) writeFileSync(join(cni, name), '');
  await restoreHostFolders(places, moved);
  expect(readdirSync(cni)).toEqual(['10-other.conflist']);
});
