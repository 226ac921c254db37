/** What the rules and the operator need to know about a harness. */
export interface HarnessKind {
  /** It calls a model: it needs the model gateway and API keys, and an empty transcript means a broken setup. */
  readonly usesModel: boolean;
  /** It plays recorded actions, mounted from `references`. */
  readonly wantsReferences: boolean;
}

/** The lower (`null`, `random-click`) and upper (`replay`) baselines: none of them calls a model. */
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

/** The kind of a harness by name. A custom harness is assumed to use no model unless its spec says otherwise. */
export function harnessKind(name: string): HarnessKind {
  return BASELINES[name] ?? { usesModel: AGENTS.has(name), wantsReferences: false };
}
