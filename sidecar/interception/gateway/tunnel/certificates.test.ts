import { createHash, X509Certificate } from 'node:crypto';
import { connect, createServer } from 'node:tls';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createCertificateAuthority } from './certificates.ts';

test('a leaf names its host, is signed by the run’s authority, and the published hash is the authority’s', async () => {
  const authority = await createCertificateAuthority();
  expect(authority.contextFor('shop.example')).toBe(authority.contextFor('shop.example'));
  const secureContext = await authority.contextFor('shop.example');
  const server = createServer({ SNICallback: (_name, done) => done(null, secureContext) }, (socket) => socket.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    servername: 'shop.example',
    rejectUnauthorized: false,
  });
  await once(client, 'secureConnect');
  const leaf = new X509Certificate(client.getPeerCertificate(true).raw);
  const issuer = new X509Certificate(client.getPeerCertificate(true).issuerCertificate.raw);
  client.destroy();
  server.close();
  expect(leaf.checkHost('shop.example')).toBe('shop.example');
  expect(leaf.verify(issuer.publicKey)).toBe(true);
  expect(issuer.ca).toBe(true);
  const spki = issuer.publicKey.export({ type: 'spki', format: 'der' });
  expect(authority.spki).toBe(createHash('sha256').update(spki).digest('base64'));
});

test('two runs share no authority', async () => {
  const [one, other] = await Promise.all([createCertificateAuthority(), createCertificateAuthority()]);
  expect(one.spki).not.toBe(other.spki);
});
