/**
 * What an agent's DevTools commands may do. Everything a page needs is allowed; refused is what changes the browser
 * itself, what carries commands around a filter by name, and what makes the browser fetch without a pause. Clients must
 * still connect unhindered, so what their libraries send by themselves is answered as if it had been done.
 */
export interface DevtoolsCommand {
  readonly id: number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly sessionId?: string;
}

export type CommandDecision =
  | { readonly kind: 'forward'; readonly command: DevtoolsCommand }
  /** Answered here with an empty result; `close` ends this client's connection afterwards. */
  | { readonly kind: 'answer'; readonly close: boolean }
  | { readonly kind: 'refuse'; readonly message: string };

type Rule = (command: DevtoolsCommand) => CommandDecision;

const pretend: Rule = () => ({ kind: 'answer', close: false });
const refuse =
  (why: string): Rule =>
  ({ method }) => ({ kind: 'refuse', message: `${method} is not available in a ClawBench run: ${why}` });
const forward: Rule = (command) => ({ kind: 'forward', command });

const AROUND = 'it carries commands around the recorder';
const UNSEEN = 'the browser would send a request that the recorder cannot see';
const BROWSER = 'it changes the browser that is being recorded';

const flatOnly: Rule = (command) =>
  command.params?.['flatten'] === true ? forward(command) : refuse(`${AROUND}; ask with flatten: true`)(command);

const RULES: Readonly<Record<string, Rule>> = {
  // An error ends Playwright's connect.
  'Browser.setDownloadBehavior': pretend,
  'Page.setDownloadBehavior': pretend,
  'Browser.close': () => ({ kind: 'answer', close: true }),
  'Browser.crash': refuse(BROWSER),
  'Browser.crashGpuProcess': refuse(BROWSER),
  'Browser.executeBrowserCommand': refuse(BROWSER),
  'Target.createBrowserContext': (command) => forward(withoutParams(command, ['proxyServer', 'proxyBypassList'])),
  'Target.sendMessageToTarget': refuse(AROUND),
  'Target.exposeDevToolsProtocol': refuse(AROUND),
  'Target.setRemoteLocations': refuse(AROUND),
  // A DevTools window fetches source maps and resources from the browser process.
  'Target.openDevTools': refuse(UNSEEN),
  'Target.attachToTarget': flatOnly,
  'Target.setAutoAttach': (command) =>
    command.params?.['autoAttach'] === false ? forward(command) : flatOnly(command),
  'Network.loadNetworkResource': refuse(UNSEEN),
  'Storage.sendPendingAttributionReports': refuse(UNSEEN),
  'Storage.runBounceTrackingMitigations': refuse(BROWSER),
};

/** Whole domains: an extension may set its own proxy, Tethering opens ports, the others start programs or devices. */
const DOMAINS: Readonly<Record<string, Rule>> = {
  Extensions: refuse(BROWSER),
  Tethering: refuse(AROUND),
  PWA: refuse(BROWSER),
  Cast: refuse(BROWSER),
};

export function filterCommand(command: DevtoolsCommand): CommandDecision {
  const own = Object.hasOwn(RULES, command.method) ? RULES[command.method] : undefined;
  const domain = command.method.slice(0, command.method.indexOf('.'));
  const rule = own ?? (Object.hasOwn(DOMAINS, domain) ? DOMAINS[domain] : undefined) ?? forward;
  return rule(command);
}

/**
 * A text frame as a command, built anew from the four fields that a command has: the browser then reads exactly what
 * was judged, whatever a second key of the same name would have said. Null for anything that is no command.
 */
export function readCommand(text: string): DevtoolsCommand | null {
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

function withoutParams(command: DevtoolsCommand, names: readonly string[]): DevtoolsCommand {
  const params = Object.entries(command.params ?? {}).filter(([name]) => !names.includes(name));
  return { ...command, params: Object.fromEntries(params) };
}
