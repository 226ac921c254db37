import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mailSettings, type MailSettings, type MailProviderName } from '../benchmark/mailbox/settings.ts';

/**
 * Settings from a mounted Secret: one file a key. An absent folder is an empty Secret.
 * @throws MailSettingsError naming the key.
 */
export async function readMailSecret(provider: MailProviderName, directory: string): Promise<MailSettings> {
  const names = await readdir(directory).catch(() => []);
  // Kubelet's own links begin with two dots.
  const keys = names.filter((name) => !name.startsWith('.'));
  const entries = await Promise.all(
    keys.map(async (key) => [key, await readFile(join(directory, key), 'utf8')] as const),
  );
  return mailSettings(provider, Object.fromEntries(entries));
}
