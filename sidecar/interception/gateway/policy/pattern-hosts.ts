import { domainToUnicode } from 'node:url';

/**
 * The hosts that a task's pattern can match. Needed only for `wss`: inside TLS the gateway sees no path, so for a GET task
 * it refuses WebSockets to these hosts. A pattern without a readable host (`/api/checkout`) can match any host, and then
 * every `wss` is refused: it fails closed.
 */
export type HostTest = (host: string, port: number) => boolean;

const ANY: HostTest = () => true;

export function patternHosts(pattern: string): HostTest {
  const branches = hostParts(pattern);
  if (branches === null) return ANY;
  return (host, port) => {
    const name = host.toLowerCase();
    // A pattern may write an IDN as people read it.
    const names = name.includes('xn--') ? [name, domainToUnicode(name)] : [name];
    return branches.some((branch) => names.some((one) => branch.test(one) || branch.test(`${one}:${port}`)));
  };
}

/** One expression for each top-level alternative, anchored at the host's end; null when an alternative has no host. */
function hostParts(pattern: string): RegExp[] | null {
  const parts = splitTopLevel(pattern).map(hostPart);
  return parts.every((part) => part !== null) ? parts : null;
}

function hostPart(branch: string): RegExp | null {
  const scheme = /^\^?(?:(?:https?|wss?|\(\?:https\?\|wss\?\)|https\?):(?:\\?\/){2})/.exec(branch)?.[0];
  const part = untilSlash(branch.slice(scheme?.length ?? 0).replace(/^\^/, ''));
  // After a wildcard that may match the slash, the host is unknown; before it, the text is the host's start.
  const wildcard = /\[\^|(?<!\\)\.[*+?{]/.exec(part);
  const host = part.slice(0, wildcard?.index);
  if (!host.includes('.') || /\\(?![.\-dw:])/.test(host)) return null;
  return compile(`${scheme === undefined ? '' : '^'}(?:${host})${wildcard === null ? '$' : ''}`);
}

function untilSlash(pattern: string): string {
  return pattern.slice(0, /(?<!\\)(?:\\\\)*\\?\//.exec(pattern)?.index);
}

/** An unbalanced group continues after the slash; then the host is unknown. */
function compile(source: string): RegExp | null {
  try {
    return new RegExp(source, 'i');
  } catch {
    return null;
  }
}

function splitTopLevel(pattern: string): string[] {
  const branches = [''];
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at] as string;
    const text = char === '\\' ? char + (pattern[(at += 1)] ?? '') : char;
    if (text === '(' || text === '[') depth += 1;
    if (text === ')' || text === ']') depth -= 1;
    if (text === '|' && depth === 0) branches.push('');
    else branches[branches.length - 1] += text;
  }
  return branches;
}
