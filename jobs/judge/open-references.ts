import { isObject } from '../../benchmark/text/json.ts';
import { askedRubrics } from '../../crds/blocks/judge.ts';
import { openStore } from '../../store/open.ts';
import { findReferences, type References } from '../../judging/agentic/find-reference.ts';
import type { StoredJson } from '../../judging/bundle/stored-json.ts';
import type { JobConfig } from '../pod/job-config.ts';

/**
 * The human sessions that the agentic rubric compares with, in the batch's bucket. Their prefix is relative to the bucket,
 * not to the batch's prefix, so a verdict names the whole key. Null: none are configured, or no rubric needs them.
 * @throws Error that names the field: when the references cannot be read, judging must not go on as if there were none.
 */
export async function openReferences({ spec, batch }: JobConfig): Promise<References | null> {
  const prefix = spec.judge?.agentic.referencePrefix ?? '';
  if (prefix === '' || !askedRubrics(spec.judge).includes('Agentic')) return null;
  const { secretRef: _secret, ...where } = spec.artifacts.s3;
  try {
    const store = await openStore({ kind: 's3', s3: { ...where, prefix: '' } }, { retrySeconds: 120 });
    return await findReferences(store, prefix, (meta) => batchOf(meta) !== batch);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`spec.judge.agentic.referencePrefix cannot be read: ${why}`, { cause: error });
  }
}

/** The batch's own bundles may be below the same prefix; they are not references for it. */
function batchOf({ clawbench }: StoredJson): unknown {
  return isObject(clawbench) ? clawbench['batch'] : undefined;
}
