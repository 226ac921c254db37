import type { ArtifactStore } from '../../benchmark/protocol/run-config.ts';

/** The value of `--s3` is invalid. */
export class StoreUrlError extends Error {
  override readonly name = 'StoreUrlError';
}

/**
 * The object store of `s3://BUCKET[/PREFIX]`.
 * @param options endpoint of an S3-compatible store, and region
 * @throws StoreUrlError
 */
export function storeFromUrl(url: string, options: { endpoint?: string; region?: string } = {}): ArtifactStore {
  const found = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(url);
  if (found?.[1] === undefined) throw new StoreUrlError(`${url} is not a valid S3 URL; use s3://BUCKET/PREFIX`);
  return {
    kind: 's3',
    s3: {
      bucket: found[1],
      prefix: (found[2] ?? '').replace(/\/+$/, ''),
      region: options.region ?? 'us-east-1',
      forcePathStyle: options.endpoint !== undefined,
      ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    },
  };
}
