import { z } from 'zod';
import { MAIL_PROVIDERS } from '../../benchmark/mailbox/settings.ts';
import { celRules } from '../cel.ts';
import { address, hostName, objectRef, urlAddress } from '../fields.ts';

/** What the gateway lets the browser reach beyond the public internet, and through which proxy. */
export const network = z
  .object({
    allow: z
      .array(address)
      .max(128)
      .default([])
      .describe('allow lists private addresses, as host:port, that the browser may reach.'),
    map: z
      .array(
        z.object({
          host: hostName.describe('host is the host name as pages use it, without scheme and port.'),
          address: urlAddress.describe(
            'address is the host:port that requests for the host are sent to. Use https://host:port for TLS without certificate verification.',
          ),
        }),
      )
      .max(128)
      .default([])
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['host'] })
      .describe(
        'map lists hosts that are served by another address, such as self-hosted copies of sites. It implies allow for the address.',
      ),
    upstreamProxySecretRef: objectRef
      .optional()
      .describe('upstreamProxySecretRef refers to the Secret with the proxy for the traffic of the browser.'),
    httpProxySecretRef: objectRef
      .optional()
      .describe('httpProxySecretRef refers to the Secret with the proxy for models, judge and object store.'),
    caBundleConfigMapRef: objectRef
      .optional()
      .describe('caBundleConfigMapRef refers to the ConfigMap with additional certificate authorities to trust.'),
  })
  .describe('network specifies what the browser may reach.');

/** Disposable mailboxes for tasks that receive mail. */
export const mail = z
  .object({
    provider: z
      .enum(MAIL_PROVIDERS)
      .default('None')
      .describe(
        'provider is the mail provider that creates the mailbox of each run. With None, the persona has an address that receives no mail.',
      ),
    secretRef: objectRef
      .optional()
      .describe("secretRef refers to the Secret with the provider's credentials. It is not used with None."),
  })
  .meta(
    celRules({
      rule: "self.provider == 'None' || has(self.secretRef)",
      message: 'spec.mail.secretRef is required if spec.mail.provider is not None.',
    }),
  )
  .describe('mail configures the mailboxes of the runs.');
