import { z } from 'zod';
import { MAIL_PROVIDERS } from '../../benchmark/mailbox/settings.ts';
import { celRules } from '../cel.ts';
import { address, hostName, objectRef, urlAddress } from '../fields.ts';

/** What the gateway lets the browser reach beyond the public internet, and by which way. */
export const network = z
  .object({
    allow: z
      .array(address)
      .max(128)
      .default([])
      .describe('host:port that the browser may reach although the address is private.'),
    map: z
      .array(
        z.object({
          host: hostName.describe('Host name in the page, without scheme or port.'),
          address: urlAddress.describe('host:port that answers for it; https://host:port for unverified TLS.'),
        }),
      )
      .max(128)
      .default([])
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['host'] })
      .describe('Hosts answered elsewhere: self-hosted copies of sites, fixtures. Implies allow for the address.'),
    upstreamProxySecretRef: objectRef.optional().describe('Secret with the proxy for the browser traffic.'),
    httpProxySecretRef: objectRef.optional().describe('Secret with the proxy for models, judge and object store.'),
    caBundleConfigMapRef: objectRef.optional().describe('ConfigMap with certificate authorities to trust as well.'),
  })
  .describe('What the browser may reach.');

/** Throw-away mailboxes for tasks that must receive mail. */
export const mail = z
  .object({
    provider: z
      .enum(MAIL_PROVIDERS)
      .default('None')
      .describe('Who makes the mailbox. None: the persona has an address that receives nothing.'),
    secretRef: objectRef.optional().describe("Secret with the provider's credentials; unused with None."),
  })
  .meta(
    celRules({
      rule: "self.provider == 'None' || has(self.secretRef)",
      message: 'spec.mail.secretRef is needed with a provider other than None.',
    }),
  )
  .describe('Mailboxes of the runs.');
