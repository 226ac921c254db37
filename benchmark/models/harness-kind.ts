/** What the rules and the operator must know of a harness. */
export interface HarnessKind {
  /** It calls a model: it needs the model gateway and keys, and an empty transcript means a broken set-up. */
  readonly usesModel: boolean;
  /** It plays recorded actions, mounted from `references`. */
  readonly wantsReferences: boolean;
}

/** Floor (`null`, `random-click`) and ceiling (`replay`) of the scale: none of them calls a model. */
export const BASELINES: Readonly<Record<string, HarnessKind>> = {
  null: { usesModel: false, wantsReferences: false },
  'random-click': { usesModel: false, wantsReferences: false },
  replay: { usesModel: false, wantsReferences: true },
};

/** Upstream's agent harnesses: all of them call a model. */
const AGENTS: ReadonlySet<string> = new Set([
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

/** The kind of a harness by name. One of somebody's own is taken to use no model unless its spec says so. */
export function harnessKind(name: string): HarnessKind {
  return BASELINES[name] ?? { usesModel: AGENTS.has(name), wantsReferences: false };
}
