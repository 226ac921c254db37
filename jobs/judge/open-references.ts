import { isObject } from '../../benchmark/text/json.ts';
import { askedRubrics } from '../../crds/blocks/judge.ts';
import { openStore } from '../../store/open.ts';
import { findReferences, type References } from '../../judging/agentic/find-reference.ts';
import type { StoredJson } from '../../judging/bundle/stored-json.ts';
import type { JobConfig } from '../pod/job-config.ts';

/**
 * The human sessions that the agentic rubric judges beside, in the batch's bucket; their prefix is one of the bucket and
 * not of the batch, so that a verdict names the whole key. Null: none were named, or nobody asks.
 * @throws Error that names the field: a judge that looks for references in vain must not go on as if there were none.
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

/** Bundles of the batch itself may lie below the same prefix, and are no references for it. */
function batchOf({ clawbench }: StoredJson): unknown {
  return isObject(clawbench) ? clawbench['batch'] : undefined;
}
