import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key and a certificate of its own, for a test site that speaks TLS. */
export interface Identity {
  readonly key: Buffer;
  readonly cert: Buffer;
  /** Hash of the key, for `--ignore-certificate-errors-spki-list`. */
  readonly spki: string;
}

/** @param addresses IP addresses that it is for. */
export function makeIdentity(addresses: readonly string[]): Identity {
  const dir = mkdtempSync(join(tmpdir(), 'cb-site-'));
  const [keyFile, certFile] = [join(dir, 'key'), join(dir, 'cert')];
  const names = addresses.map((address) => `IP:${address}`).join(',');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile];
  const certificate = ['-x509', '-days', '2', '-subj', '/CN=test', '-addext', `subjectAltName=${names}`];
  try {
    execFileSync('openssl', ['req', ...key, ...certificate, '-out', certFile], { stdio: 'ignore' });
    const cert = readFileSync(certFile);
    const der = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
    return { key: readFileSync(keyFile), cert, spki: createHash('sha256').update(der).digest('base64') };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
