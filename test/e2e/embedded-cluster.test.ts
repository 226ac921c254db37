import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ensureBaseImages } from '../cluster/base-images.ts';
import { addHost } from '../cluster/hosts.ts';
import { builtProgram, up } from '../cluster/lifecycle.ts';
import { loadArchive } from '../cluster/load-archive.ts';
import { NODE_IP, S3_PORT } from '../cluster/places.ts';
import { run } from '../cluster/run-command.ts';
import { s3Access } from '../cluster/s3.ts';

/**
 * What the product's own cluster tests take for granted of the embedded Kubernetes, so that a failure there is the
 * product's: sidecar order, `restricted`, the Localhost seccomp profile, DNS, the API from a pod, logs and exec, S3.
 */
const namespace = `embedded-${randomBytes(3).toString('hex')}`;
const fixture = `${namespace}.fixture.test`;
let kubeconfig = '';
let kubectlProgram = '';
let image = '';

function kubectl(args: string[], input?: string): Promise<string> {
  const given = input === undefined ? {} : { input };
  return run(kubectlProgram, ['--kubeconfig', kubeconfig, '-n', namespace, ...args], { ...given, limitMs: 120_000 });
}

const locked = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

function pod(name: string, spec: Record<string, unknown>): string {
  const securityContext = {
    runAsNonRoot: true,
    runAsUser: 1000,
    seccompProfile: { type: 'Localhost', localhostProfile: 'clawbench-browser.json' },
  };
  return stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 1, securityContext, ...spec },
  });
}

function shell(name: string, script: string): Record<string, unknown> {
  return { name, image, imagePullPolicy: 'IfNotPresent', command: ['sh', '-c', script], securityContext: locked };
}

function phase(name: string, wanted: string): Promise<string> {
  return kubectl(['wait', `--for=jsonpath={.status.phase}=${wanted}`, `pod/${name}`, '--timeout=90s']);
}

beforeAll(async () => {
  ({ kubeconfig } = await up(600_000));
  kubectlProgram = await builtProgram('kubectl');
  image = await loadArchive((await ensureBaseImages()).node);
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await kubectl(
    ['apply', '-f', '-'],
    stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } }),
  );
});

afterAll(async () => {
  await addHost(fixture, undefined);
  await kubectl(['delete', 'namespace', namespace, '--wait=false']);
});

describe('the embedded cluster', () => {
  it('starts a main container only after its sidecar is ready, and ends the sidecar after it', async () => {
    const sidecar = shell(
      'side',
      'sleep 1; touch /tmp/up; trap "echo told to end; exit 0" TERM; while :; do sleep 0.1; done',
    );
    const probed = {
      ...sidecar,
      restartPolicy: 'Always',
      startupProbe: { exec: { command: ['test', '-e', '/tmp/up'] }, periodSeconds: 1 },
    };
    const main = shell('main', 'echo "main at work"; echo the message > /dev/termination-log');
    await kubectl(['apply', '-f', '-'], pod('native', { initContainers: [probed], containers: [main] }));
    await phase('native', 'Succeeded');
    expect(await kubectl(['logs', 'native', '-c', 'main'])).toBe('main at work\n');
    expect(await kubectl(['logs', 'native', '-c', 'side'])).toBe('told to end\n');
    const message = await kubectl([
      'get',
      'pod',
      'native',
      '-o',
      'jsonpath={.status.containerStatuses[0].state.terminated.message}',
    ]);
    expect(message).toBe('the message\n');
  });

  it('gives pods the API by its service name, cluster DNS, fixture names and nothing of the outside', async () => {
    await addHost(fixture, '10.244.77.250');
    const script = `
      const { readFileSync } = require('fs'), https = require('https'), dns = require('dns').promises, net = require('net');
      const dir = '/var/run/secrets/kubernetes.io/serviceaccount/';
      const headers = { authorization: 'Bearer ' + readFileSync(dir + 'token', 'utf8') };
      const api = new Promise((done) => https.get('https://kubernetes.default.svc/api', { headers, ca: readFileSync(dir + 'ca.crt') }, (r) => done(r.resume().statusCode)));
      const outside = new Promise((done) => net.connect(80, '198.51.100.77').on('connect', () => done('reached')).on('error', (e) => done(e.code)));
      const name = (host) => dns.lookup(host).then((found) => found.address, (e) => e.code);
      (async () => console.log(JSON.stringify([await api, await outside, await name('${fixture}'), await name('unknown.example.com')])))().then(() => process.exit(0));`;
    // CoreDNS reads its hosts file again within two seconds.
    const main = shell('main', 'sleep 3; exec node -e "$SCRIPT"');
    await kubectl(
      ['apply', '-f', '-'],
      pod('reach', { containers: [{ ...main, env: [{ name: 'SCRIPT', value: script }] }] }),
    );
    await phase('reach', 'Succeeded');
    expect(JSON.parse(await kubectl(['logs', 'reach']))).toEqual([200, 'ECONNREFUSED', '10.244.77.250', 'ENOTFOUND']);
  });

  it('runs exec in a pod under the browser profile', async () => {
    await kubectl(['apply', '-f', '-'], pod('stay', { containers: [shell('main', 'sleep 300')] }));
    await kubectl(['wait', '--for=condition=Ready', 'pod/stay', '--timeout=60s']);
    const script =
      'grep -E "^(Seccomp|NoNewPrivs):" /proc/self/status; unshare -U -n true && echo a namespace of its own';
    const status = await kubectl(['exec', 'stay', '--', 'sh', '-c', script]);
    expect(status.replaceAll('\t', ' ')).toBe('NoNewPrivs: 1\nSeccomp: 2\na namespace of its own\n');
  });

  it('refuses a pod that is not restricted', async () => {
    const plain = { ...shell('main', 'true'), securityContext: {} };
    await expect(kubectl(['apply', '-f', '-'], pod('plain', { containers: [plain] }))).rejects.toThrow(
      'violates PodSecurity',
    );
  });

  it('has an S3 server that checks signatures and honours conditional writes', async () => {
    const { endpoint, region, ...credentials } = await s3Access();
    const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true, maxAttempts: 1 });
    const at = { Bucket: namespace, Key: 'a/b' };
    await client.send(new CreateBucketCommand({ Bucket: namespace }));
    await client.send(new PutObjectCommand({ ...at, Body: 'first', IfNoneMatch: '*' }));
    const second = client.send(new PutObjectCommand({ ...at, Body: 'second', IfNoneMatch: '*' }));
    await expect(second).rejects.toMatchObject({ $metadata: { httpStatusCode: 412 } });
    expect(await (await client.send(new GetObjectCommand(at))).Body?.transformToString()).toBe('first');
    const unsigned = await new Promise((resolve, reject) => {
      const url = `http://${NODE_IP}:${S3_PORT}/${namespace}/a/b`;
      request(url, { agent: false }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(unsigned).toBe(403);
  });
});
