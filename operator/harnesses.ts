import { BASELINES, harnessKind } from '../benchmark/models/harness-kind.ts';
import type { Harness } from '../crds/blocks/agents.ts';
import type { Images } from './config.ts';

/** The image to run, or null when neither the spec nor the chart names one. */
export function harnessImage(harness: Pick<Harness, 'name' | 'image'>, images: Images): string | null {
  return harness.image ?? images.harnesses[harness.name] ?? null;
}

/** Whether it calls a model, and so needs the models Secret and a gateway: known by name, or said of one's own. */
export function usesModel(harness: Pick<Harness, 'name' | 'usesModel'>): boolean {
  return harnessKind(harness.name).usesModel || harness.usesModel;
}

/** One sentence why this harness cannot run, naming the field and the remedy; null when it can. */
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

/** Upstream's contract, set by the Pod or by the shim; a value of the user's would not arrive, or change the shim. */
const CONTRACT = ['MODEL_NAME', 'BASE_URL', 'API_TYPE', 'API_KEY', 'API_KEYS', 'INSTRUCTION', 'TIME_LIMIT_S'];

function isOurs(name: string): boolean {
  return name.startsWith('CLAWBENCH_') || CONTRACT.includes(name);
}
