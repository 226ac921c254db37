import 'reflect-metadata';
import { createHash, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import * as x509 from '@peculiar/x509';

/**
 * A certificate authority for one run. The browser trusts it by its key's hash (`--ignore-certificate-errors-spki-list`)
 * and nothing else does; its key never touches a disk. It exists for the hosts whose TLS is terminated in the gateway.
 */
export interface CertificateAuthority {
  /** Base64 SHA-256 of the authority's SubjectPublicKeyInfo. */
  readonly spki: string;
  /** The certificate for one host, followed by the authority's; created once per host. */
  contextFor(host: string): Promise<SecureContext>;
}

x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[0]);

const EC = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

export async function createCertificateAuthority(now: number = Date.now()): Promise<CertificateAuthority> {
  const keys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify']);
  const validity = { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + 30 * DAY_MS) };
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: serial(),
    name: 'CN=ClawBench run CA',
    keys,
    signingAlgorithm: SIGNING,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  const leafKeys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify']);
  const leafKey = pem('PRIVATE KEY', await webcrypto.subtle.exportKey('pkcs8', leafKeys.privateKey));

  const issue = async (host: string): Promise<SecureContext> => {
    const leaf = await x509.X509CertificateGenerator.create({
      ...validity,
      serialNumber: serial(),
      subject: 'CN=ClawBench mapped host',
      issuer: authority.subject,
      publicKey: leafKeys.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: SIGNING,
      extensions: [
        new x509.SubjectAlternativeNameExtension([{ type: isIP(host) === 0 ? 'dns' : 'ip', value: host }]),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      ],
    });
    return createSecureContext({ key: leafKey, cert: `${leaf.toString('pem')}\n${authority.toString('pem')}` });
  };

  const contexts = new Map<string, Promise<SecureContext>>();
  return {
    spki: createHash('sha256').update(Buffer.from(authority.publicKey.rawData)).digest('base64'),
    contextFor: (host) => {
      const known = contexts.get(host) ?? issue(host);
      contexts.set(host, known);
      return known;
    },
  };
}

function serial(): string {
  return `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString('hex')}`;
}

function pem(label: string, der: ArrayBuffer): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
