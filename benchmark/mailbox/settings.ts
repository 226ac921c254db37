import { z } from 'zod';

/** The values of `spec.mail.provider` (docs/mail.md): the service that creates a run's mailbox. */
export const MAIL_PROVIDERS = ['None', 'PurelyMail', 'SMTPCatchAll', 'Static'] as const;
export type MailProviderName = (typeof MAIL_PROVIDERS)[number];

/** Whether each attempt has its own mailbox, which has to be removed; the user's own mailbox is never touched. */
export function makesMailboxes(provider: MailProviderName): boolean {
  return provider !== 'None' && provider !== 'Static';
}

const domain = z.string().regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i);
const webUrl = z.url({ protocol: /^https?$/ });

/** The keys of the mail Secret by provider (docs/mail.md). Messages name keys, never values. */
const SCHEMAS = {
  None: z.object({}),
  Static: z.object({
    email: z.email(),
    password: z.string().min(1),
    loginUrl: webUrl,
    /** For `email_credentials.json`. */
    provider: z.string().default('Static'),
  }),
  PurelyMail: z.object({ apiKey: z.string().min(1), domain, apiUrl: webUrl.default('https://purelymail.com/api/v0') }),
  SMTPCatchAll: z.object({
    domain,
    /** URL of the server's web inbox for the browser. */
    webUrl,
    /** URL of its management API for Pods; default: the same. */
    adminUrl: webUrl.optional(),
    adminToken: z.string().min(16),
  }),
};

export type MailSettings = {
  [Name in MailProviderName]: { name: Name } & z.infer<(typeof SCHEMAS)[Name]>;
}[MailProviderName];

/** The Secret is not valid for the provider; the message is one sentence that names the key. */
export class MailSettingsError extends Error {
  override readonly name = 'MailSettingsError';
}

/**
 * @param secret the Secret's keys.
 * @throws MailSettingsError
 */
export function mailSettings(name: MailProviderName, secret: Readonly<Record<string, string>>): MailSettings {
  const trimmed = Object.fromEntries(Object.entries(secret).map(([key, value]) => [key, value.trim()]));
  const read = SCHEMAS[name].safeParse(trimmed);
  if (!read.success) {
    const key = String(read.error.issues[0]?.path[0] ?? '');
    throw new MailSettingsError(`mail provider ${name}: the key ${key} of the Secret is missing or not valid`);
  }
  return { name, ...read.data } as MailSettings;
}

/** The secret values of the settings, for redaction. */
export function mailSecrets(settings: MailSettings): readonly string[] {
  if (settings.name === 'Static') return [settings.password];
  if (settings.name === 'PurelyMail') return [settings.apiKey];
  return settings.name === 'SMTPCatchAll' ? [settings.adminToken] : [];
}
