import type { Harness } from '../crds/blocks/agents.ts';
import type { Images } from './images.ts';

/** What the operator must know of a harness before it makes a Pod. */
export interface HarnessKind {
  /** It calls a model: it needs the model gateway and keys. */
  readonly usesModel: boolean;
  /** It plays recorded actions, mounted from `references`. */
  readonly wantsReferences: boolean;
}

/**
 * The harnesses of this release: floor (`null`, `random-click`) and ceiling (`replay`) of the scale. Upstream's agent
 * harnesses (upstream.md 9.3) all call a model; they are known by name so that the refusal can say what is missing.
 */
const KNOWN: Readonly<Record<string, HarnessKind>> = {
  null: { usesModel: false, wantsReferences: false },
  'random-click': { usesModel: false, wantsReferences: false },
  replay: { usesModel: false, wantsReferences: true },
};
const WITH_MODEL = new Set([
  'openclaw',
  'opencode',
  'claude-code',
  'claude-code-chrome-extension',
  'codex',
  'browser-use',
  'claw-code',
  'hermes',
  'pi',
  'webbrain',
]);

/** A harness of somebody's own, given by its image, is taken to use no model: nothing would hand it a key anyway. */
const OWN: HarnessKind = { usesModel: false, wantsReferences: false };

/** The kind of a harness that {@link harnessProblem} accepts. */
export function harnessKind(harness: Pick<Harness, 'name'>): HarnessKind {
  return KNOWN[harness.name] ?? OWN;
}

/** The image to run, or null when neither the spec nor the chart names one. */
export function harnessImage(harness: Pick<Harness, 'name' | 'image'>, images: Images): string | null {
  return harness.image ?? images.harnesses[harness.name] ?? null;
}

/** One sentence why this harness cannot run, naming the field and the remedy; null when it can. */
export function harnessProblem(harness: Harness, index: number, images: Images): string | null {
  const field = `spec.harnesses[${String(index)}]`;
  const kind = KNOWN[harness.name];
  if (WITH_MODEL.has(harness.name)) {
    return `${field}.name ${harness.name} uses a model, and this release has no model gateway yet: use null, random-click, replay or an image of your own under another name.`;
  }
  if (harnessImage(harness, images) === null) {
    const known = Object.keys(KNOWN).join(', ');
    return kind === undefined
      ? `${field}.name ${harness.name} is not known (${known}): set image to one that has /run-harness.sh.`
      : `${field}.name ${harness.name} has no image in this installation: set image, or harnesses in the chart's values.`;
  }
  if (kind?.wantsReferences === true && harness.references === undefined) {
    return `${field}.references is needed with ${harness.name}: the ConfigMap with the recorded actions.`;
  }
  return null;
}
