import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { API_SERVER, ETCD, NODE_IP, NODE_NAME, REGISTRY, S3_PORT, SERVICE_IP, type Places } from './places.ts';

/** Questions to the running parts. Each answers within two seconds or counts as "no". */
const LIMIT_MS = 2_000;

interface Reply {
  status: number;
  body: string;
}

function get(url: string, options: { ca?: string; headers?: Record<string, string> } = {}): Promise<Reply> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const sent = request(url, { ...options, signal, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('error', reject).on('end', () => {
        resolve({ status: response.statusCode ?? 0, body });
      });
    });
    sent.on('error', reject).end();
  });
}

/** A GET as the cluster's administrator. */
async function asAdmin(places: Places, path: string): Promise<Reply> {
  const ca = await readFile(`${places.pki}/ca.crt`, 'utf8');
  const [token] = (await readFile(`${places.pki}/tokens.csv`, 'utf8')).split(',');
  return get(`${API_SERVER}${path}`, { ca, headers: { authorization: `Bearer ${token}` } });
}

/** Etcd has a leader (itself) and serves. */
export async function etcdIsHealthy(): Promise<boolean> {
  return (await get(`${ETCD}/health`)).body.includes('"health":"true"');
}

/** The API server's own readiness. */
export async function apiIsReady(places: Places): Promise<boolean> {
  return (await asAdmin(places, '/readyz')).status === 200;
}

/** Whether a Node object says Ready. */
export function saysReady(node: string): boolean {
  const { status } = JSON.parse(node) as { status?: { conditions?: { type: string; status: string }[] } };
  return status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}

/** Kubelet has registered the node and calls it Ready. */
export async function nodeIsReady(places: Places): Promise<boolean> {
  const reply = await asAdmin(places, `/api/v1/nodes/${NODE_NAME}`);
  return reply.status === 200 && saysReady(reply.body);
}

/** Before the controller made it, every pod is refused. */
export async function defaultAccountExists(places: Places): Promise<boolean> {
  return (await asAdmin(places, '/api/v1/namespaces/default/serviceaccounts/default')).status === 200;
}

/** CoreDNS answers with the API's service address, so it has read the cluster's Services. */
export async function dnsAnswers(): Promise<boolean> {
  const resolver = new Resolver({ timeout: LIMIT_MS, tries: 1 });
  resolver.setServers([NODE_IP]);
  return (await resolver.resolve4('kubernetes.default.svc.cluster.local')).includes(SERVICE_IP);
}

/** The registry speaks its protocol. */
export async function registryAnswers(): Promise<boolean> {
  return (await get(`http://${REGISTRY}/v2/`)).status === 200;
}

/** The S3 server answers an unsigned request, which it must refuse. */
export async function s3Answers(port: number = S3_PORT): Promise<boolean> {
  return (await get(`http://${NODE_IP}:${port}/`)).status === 403;
}
