import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { openStore } from '../../store/open.ts';
import { StoreRefused, StoreUnavailable, type ObjectStore } from '../../store/object-store.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { storeFromUrl } from '../tasks/store-url.ts';
import { confinedFolder } from './confined-folder.ts';

/** Where bundles are stored: a folder, or a prefix in an object store. */
export interface BundleLocation {
  readonly store: ObjectStore;
  /** The folder's real path; null for S3. */
  readonly folder: string | null;
  /** Path of a key in the form that upstream prints; '' is the location itself. */
  readonly pathOf: (key: string) => string;
  /** Name of the location and of its parent, for a location that is a batch directory itself. */
  readonly name: string;
  readonly parent: string;
}

export interface S3UrlOptions {
  readonly s3Endpoint?: string | undefined;
  readonly s3Region?: string | undefined;
}

/** Opens a folder or an `s3://` URL. @throws CliFailure */
export async function openBundleLocation(text: string, options: S3UrlOptions = {}): Promise<BundleLocation> {
  return text.startsWith('s3://') ? openBucket(text, options) : openFolder(text);
}

async function openFolder(text: string): Promise<BundleLocation> {
  const folder = resolve(text);
  const found = await stat(folder).catch(() => null);
  if (found === null || !found.isDirectory()) {
    throw new CliFailure(EXIT.usage, `${text} is not a folder; use a folder with bundles, or s3://BUCKET/PREFIX`);
  }
  const real = await realpath(folder);
  return {
    store: confinedFolder(await openStore({ kind: 'directory', path: real }), real),
    folder: real,
    pathOf: (key) => (key === '' ? text : join(text, key)),
    name: basename(folder),
    parent: basename(dirname(folder)),
  };
}

async function openBucket(url: string, options: S3UrlOptions): Promise<BundleLocation> {
  const endpoint = options.s3Endpoint ?? process.env['AWS_ENDPOINT_URL'];
  const region = options.s3Region ?? process.env['AWS_REGION'];
  const where = storeFromUrl(url, {
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
  });
  const parts = url.replace(/\/+$/, '').split('/');
  return {
    store: await withStoreExitCode(() => openStore(where)),
    folder: null,
    pathOf: (key) => `${url.replace(/\/+$/, '')}${key === '' ? '' : `/${key}`}`,
    name: parts.at(-1) ?? '',
    parent: parts.at(-2) ?? '',
  };
}

/** Turns the errors of a store that cannot be reached or refuses access into exit code 3. */
export async function withStoreExitCode<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreUnavailable || error instanceof StoreRefused) {
      throw new CliFailure(EXIT.unreachable, error.message);
    }
    throw error;
  }
}
