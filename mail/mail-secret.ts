import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mailSettings, type MailSettings, type MailProviderName } from '../benchmark/mailbox/settings.ts';

/**
 * Settings from a mounted Secret, with one file per key. A missing folder counts as an empty Secret.
 * @throws MailSettingsError that names the key
 */
export async function readMailSecret(provider: MailProviderName, directory: string): Promise<MailSettings> {
  const names = await readdir(directory).catch(() => []);
  // The kubelet's own links begin with two dots.
  const keys = names.filter((name) => !name.startsWith('.'));
  const entries = await Promise.all(
    keys.map(async (key) => [key, await readFile(join(directory, key), 'utf8')] as const),
  );
  return mailSettings(provider, Object.fromEntries(entries));
}
