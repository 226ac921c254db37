import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kubeconfig, tokensCsv, USERS, type User } from './credentials.ts';
import { NODE_IP, SERVICE_IP, type Places } from './places.ts';
import { run } from './run-command.ts';

/**
 * Keys are made once and kept, so that a kubeconfig that was handed out stays good over restarts. They are only for
 * this machine's test cluster; a change of the recipe below makes new ones.
 */
const RECIPE = '1';
const DAYS = 3650;
const RENEW_AFTER_MS = (DAYS - 365) * 86_400_000;

interface Certificate {
  name: string;
  ca: 'ca' | 'front-ca';
  subject: string;
  usage: 'serverAuth' | 'clientAuth';
  names?: string[];
}

const CERTIFICATES: Certificate[] = [
  {
    name: 'api',
    ca: 'ca',
    subject: '/CN=kube-apiserver',
    usage: 'serverAuth',
    names: [
      'IP:127.0.0.1',
      `IP:${NODE_IP}`,
      `IP:${SERVICE_IP}`,
      'DNS:localhost',
      'DNS:kubernetes',
      'DNS:kubernetes.default',
      'DNS:kubernetes.default.svc',
      'DNS:kubernetes.default.svc.cluster.local',
    ],
  },
  {
    name: 'kubelet-client',
    ca: 'ca',
    subject: '/O=system:masters/CN=kube-apiserver-kubelet-client',
    usage: 'clientAuth',
  },
  // logs, exec and port-forward verify the kubelet's certificate by address.
  { name: 'kubelet-server', ca: 'ca', subject: '/CN=node-1', usage: 'serverAuth', names: [`IP:${NODE_IP}`] },
  { name: 'front', ca: 'front-ca', subject: '/CN=front-proxy-client', usage: 'clientAuth' },
];

async function makeAuthority(dir: string, name: string): Promise<void> {
  const out = ['-keyout', join(dir, `${name}.key`), '-out', join(dir, `${name}.crt`)];
  const use = ['-addext', 'keyUsage=critical,digitalSignature,keyCertSign,cRLSign'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', String(DAYS)];
  await run('openssl', ['req', '-x509', ...kind, '-subj', `/CN=clawbench-${name}`, ...use, ...out]);
}

async function makeCertificate(dir: string, certificate: Certificate): Promise<void> {
  const file = (ending: string): string => join(dir, `${certificate.name}.${ending}`);
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await run('openssl', [
    'req',
    '-new',
    ...kind,
    '-subj',
    certificate.subject,
    '-keyout',
    file('key'),
    '-out',
    file('csr'),
  ]);
  const names = certificate.names === undefined ? [] : [`subjectAltName=${certificate.names.join(',')}`];
  const extensions = ['keyUsage=critical,digitalSignature', `extendedKeyUsage=${certificate.usage}`, ...names];
  await writeFile(file('ext'), `${extensions.join('\n')}\n`);
  const authority = ['-CA', join(dir, `${certificate.ca}.crt`), '-CAkey', join(dir, `${certificate.ca}.key`)];
  const serial = ['-set_serial', `0x${randomBytes(15).toString('hex')}`, '-days', String(DAYS)];
  await run('openssl', [
    'x509',
    '-req',
    '-in',
    file('csr'),
    ...authority,
    ...serial,
    '-extfile',
    file('ext'),
    '-out',
    file('crt'),
  ]);
  await Promise.all([rm(file('csr')), rm(file('ext'))]);
}

async function isFresh(dir: string): Promise<boolean> {
  const mark = join(dir, 'recipe');
  if (!existsSync(mark)) return false;
  const age = Date.now() - (await stat(mark)).mtimeMs;
  return age < RENEW_AFTER_MS && (await readFile(mark, 'utf8')) === RECIPE;
}

async function makeUsers(dir: string): Promise<void> {
  const users: User[] = USERS.map((user) => ({ ...user, token: randomBytes(24).toString('hex') }));
  const secret = { mode: 0o600 };
  await writeFile(join(dir, 'tokens.csv'), tokensCsv(users), secret);
  const ca = await readFile(join(dir, 'ca.crt'), 'utf8');
  for (const user of users) await writeFile(join(dir, `${user.file}.kubeconfig`), kubeconfig(user, ca), secret);
}

/** Makes the cluster's keys, certificates, tokens and kubeconfigs unless they exist (2 s). */
export async function ensureKeys(places: Places): Promise<void> {
  if (await isFresh(places.pki)) return;
  const fresh = `${places.pki}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true, mode: 0o700 });
  await Promise.all([makeAuthority(fresh, 'ca'), makeAuthority(fresh, 'front-ca')]);
  await Promise.all(CERTIFICATES.map((certificate) => makeCertificate(fresh, certificate)));
  await run('openssl', ['genrsa', '-out', join(fresh, 'sa.key'), '2048']);
  await run('openssl', ['rsa', '-in', join(fresh, 'sa.key'), '-pubout', '-out', join(fresh, 'sa.pub')]);
  await makeUsers(fresh);
  await writeFile(join(fresh, 'recipe'), RECIPE);
  await rm(places.pki, { recursive: true, force: true });
  await rename(fresh, places.pki);
}
