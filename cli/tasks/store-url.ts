import type { ArtifactStore } from '../../benchmark/protocol/run-config.ts';

/** `--s3` cannot be read; one sentence. */
export class StoreUrlError extends Error {
  override readonly name = 'StoreUrlError';
}

/**
 * A store from `s3://BUCKET[/PREFIX]`, with the endpoint of another S3 than AWS.
 * @throws StoreUrlError
 */
export function storeFromUrl(url: string, options: { endpoint?: string; region?: string } = {}): ArtifactStore {
  const found = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(url);
  if (found?.[1] === undefined) throw new StoreUrlError(`${url} is not of the form s3://BUCKET/PREFIX`);
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
