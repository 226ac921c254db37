/**
 * Which DevTools commands of an agent reach the browser. Everything that a page needs is allowed. Refused are commands that
 * change the browser itself, that carry other commands past this filter, or that make the browser fetch without a pause.
 * Clients must still be able to connect, so commands that their libraries send on their own are acknowledged without effect.
 */
export interface DevToolsCommand {
  readonly id: number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly sessionId?: string;
}

export type CommandDecision =
  | { readonly kind: 'forward'; readonly command: DevToolsCommand }
  /** Answered here with an empty result; `close` closes this client's connection afterwards. */
  | { readonly kind: 'acknowledge'; readonly close: boolean }
  | { readonly kind: 'refuse'; readonly message: string };

type Rule = (command: DevToolsCommand) => CommandDecision;

const acknowledge: Rule = () => ({ kind: 'acknowledge', close: false });
const refuse =
  (why: string): Rule =>
  ({ method }) => ({ kind: 'refuse', message: `${method} is not available in a ClawBench run: ${why}` });
const forward: Rule = (command) => ({ kind: 'forward', command });

const BYPASS = 'it carries commands past the recorder';
const UNSEEN = 'the browser would send a request that the recorder cannot see';
const BROWSER = 'it changes the browser that is being recorded';

const flatOnly: Rule = (command) =>
  command.params?.['flatten'] === true ? forward(command) : refuse(`${BYPASS}; use flatten: true`)(command);

const RULES: Readonly<Record<string, Rule>> = {
  // Playwright's connect fails on an error.
  'Browser.setDownloadBehavior': acknowledge,
  'Page.setDownloadBehavior': acknowledge,
  'Browser.close': () => ({ kind: 'acknowledge', close: true }),
  'Browser.crash': refuse(BROWSER),
  'Browser.crashGpuProcess': refuse(BROWSER),
  'Browser.executeBrowserCommand': refuse(BROWSER),
  'Target.createBrowserContext': (command) => forward(withoutParams(command, ['proxyServer', 'proxyBypassList'])),
  'Target.sendMessageToTarget': refuse(BYPASS),
  'Target.exposeDevToolsProtocol': refuse(BYPASS),
  'Target.setRemoteLocations': refuse(BYPASS),
  // A DevTools window fetches source maps and resources from the browser process.
  'Target.openDevTools': refuse(UNSEEN),
  'Target.attachToTarget': flatOnly,
  'Target.setAutoAttach': (command) =>
    command.params?.['autoAttach'] === false ? forward(command) : flatOnly(command),
  'Network.loadNetworkResource': refuse(UNSEEN),
  'Storage.sendPendingAttributionReports': refuse(UNSEEN),
  'Storage.runBounceTrackingMitigations': refuse(BROWSER),
};

/** Whole domains: an extension can set its own proxy, Tethering opens ports, the others start programs or devices. */
const DOMAINS: Readonly<Record<string, Rule>> = {
  Extensions: refuse(BROWSER),
  Tethering: refuse(BYPASS),
  PWA: refuse(BROWSER),
  Cast: refuse(BROWSER),
};

export function filterCommand(command: DevToolsCommand): CommandDecision {
  const own = Object.hasOwn(RULES, command.method) ? RULES[command.method] : undefined;
  const domain = command.method.slice(0, command.method.indexOf('.'));
  const rule = own ?? (Object.hasOwn(DOMAINS, domain) ? DOMAINS[domain] : undefined) ?? forward;
  return rule(command);
}

/**
 * Reads a text frame as a command, rebuilt from the four fields that a command has: the browser then reads exactly what
 * was checked, even when a key occurred twice. @returns null when it is not a command.
 */
export function readCommand(text: string): DevToolsCommand | null {
  const value = parse(text);
  if (!isRecord(value)) return null;
  const { id, method, params, sessionId } = value;
  if (!Number.isInteger(id) || typeof method !== 'string') return null;
  const command = { id: id as number, method };
  const withParams = params === undefined ? command : isRecord(params) ? { ...command, params } : null;
  if (withParams === null || sessionId === undefined) return withParams;
  return typeof sessionId === 'string' ? { ...withParams, sessionId } : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function withoutParams(command: DevToolsCommand, names: readonly string[]): DevToolsCommand {
  const params = Object.entries(command.params ?? {}).filter(([name]) => !names.includes(name));
  return { ...command, params: Object.fromEntries(params) };
}
