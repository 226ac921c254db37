import {
  envFile,
  envSource,
  HARNESS_ENV_DIR,
  HARNESS_REFERENCES_DIR,
  type EnvSource,
} from '../../benchmark/protocol/job-paths.ts';
import type { Harness } from '../../crds/blocks/agents.ts';
import type { Attachment } from '../job/build-job.ts';

/**
 * What the harnesses of a batch use from Secrets and ConfigMaps, mounted for `prepare` to check. All mounts are
 * optional: what is missing is a file that does not exist, which `prepare` reports.
 */
export function harnessAttachments(harnesses: readonly Harness[]): Attachment[] {
  const sources = harnesses.flatMap(({ env }) => env.map(envSource)).filter((source) => source !== null);
  const unique = [...new Map(sources.map((source) => [envFile(source), source])).values()];
  const env: Attachment[] =
    unique.length === 0
      ? []
      : [
          {
            volume: { name: 'harness-env', projected: { sources: unique.map(projection) } },
            mountPath: HARNESS_ENV_DIR,
          },
        ];
  const references = harnesses.flatMap(({ references: ref }, index): Attachment[] => {
    if (ref === undefined) return [];
    const place = String(index);
    const volume = { name: `references-${place}`, configMap: { name: ref.name, optional: true } };
    return [{ volume, mountPath: `${HARNESS_REFERENCES_DIR}/${place}` }];
  });
  return [...env, ...references];
}

type Projection = NonNullable<NonNullable<Attachment['volume']['projected']>['sources']>[number];

function projection(source: EnvSource): Projection {
  const { kind, name, key } = source;
  return { [kind]: { name, optional: true, items: [{ key, path: envFile(source) }] } };
}
