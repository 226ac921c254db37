import type { Batch } from '../kube/clawbench-kinds.ts';

/** `s3://bucket/prefix/` of the batch's artifacts, always with a trailing slash. */
export function storeUrl(batch: Pick<Batch, 'spec'>): string {
  const { bucket, prefix } = batch.spec.artifacts.s3;
  const path = prefix.replace(/\/+$/, '');
  return path === '' ? `s3://${bucket}/` : `s3://${bucket}/${path}/`;
}
