import { BASELINES, harnessKind } from '../benchmark/models/harness-kind.ts';
import type { Harness } from '../crds/blocks/agents.ts';
import type { Images } from './config.ts';

/** The image to run; null when neither the spec nor the chart sets one. */
export function harnessImage(harness: Pick<Harness, 'name' | 'image'>, images: Images): string | null {
  return harness.image ?? images.harnesses[harness.name] ?? null;
}

/**
 * Whether the harness calls a model, and so needs the models Secret and the gateway: known by name, or set in the spec.
 */
export function usesModel(harness: Pick<Harness, 'name' | 'usesModel'>): boolean {
  return harnessKind(harness.name).usesModel || harness.usesModel;
}

/** Why this harness cannot run: one sentence that names the field and the remedy. Null when it can. */
export function validateHarness(harness: Harness, field: string, images: Images): string | null {
  const kind = BASELINES[harness.name];
  if (harnessImage(harness, images) === null) {
    const known = Object.keys(BASELINES).join(', ');
    return kind === undefined && !harnessKind(harness.name).usesModel
      ? `${field}.name ${harness.name} is not a known harness (${known}); set image to one that contains /run-harness.sh.`
      : `${field}.name ${harness.name} has no image in this installation; set image, or harnesses in the chart's values.`;
  }
  if (kind?.wantsReferences === true && harness.references === undefined) {
    return `${field}.references is required for harness ${harness.name}; set it to the ConfigMap with the recorded actions.`;
  }
  const taken = harness.env.find(({ name }) => isOurs(name));
  return taken === undefined
    ? null
    : `${field}.env ${taken.name} is reserved, as is every name that starts with CLAWBENCH_; use another name.`;
}

/**
 * Upstream's contract, set by the Pod or the shim. A value of the user's would be overwritten, or would change the
 * shim.
 */
const CONTRACT = ['MODEL_NAME', 'BASE_URL', 'API_TYPE', 'API_KEY', 'API_KEYS', 'INSTRUCTION', 'TIME_LIMIT_S'];

function isOurs(name: string): boolean {
  return name.startsWith('CLAWBENCH_') || CONTRACT.includes(name);
}
