import 'reflect-metadata';
import { createHash, webcrypto, X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** A new key and certificate for a test site with TLS, as PEM. */
export interface Identity {
  readonly key: string;
  readonly cert: string;
  /** The hash of the key, for `--ignore-certificate-errors-spki-list`. */
  readonly spki: string;
}

const DAY_MS = 86_400_000;

/** @param addresses the IP addresses in the certificate. */
export async function makeIdentity(addresses: readonly string[]): Promise<Identity> {
  x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[0]);
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=test site',
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.SubjectAlternativeNameExtension(addresses.map((value) => ({ type: 'ip', value }))),
    ],
  });
  const cert = certificate.toString('pem');
  const der = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
    cert,
    spki: createHash('sha256').update(der).digest('base64'),
  };
}
