import { splitHostPort } from '../../sidecar/interception/gateway/policy/route.ts';

/** Options of `clawbench local` as commander parses them. */
export interface LocalOptions {
  /** Not allowed with `demo`. */
  readonly task?: string;
  readonly out?: string;
  /** A task of the demo; true for the first one. */
  readonly demo?: string | true;
  readonly replay?: boolean;
  readonly harness?: string;
  readonly headless?: boolean;
  readonly allow: readonly string[];
  readonly map: readonly string[];
  readonly timeLimit?: string;
  /** Commander's spelling of `--no-record`. */
  readonly record: boolean;
  readonly json?: boolean;
}

/** Invalid options or arguments: exit code 2. */
export class BadInput extends Error {
  override readonly name = 'BadInput';
}

export interface NetworkOptions {
  readonly allow: string[];
  readonly map: { host: string; address: string }[];
}

/** `--allow HOST:PORT` and `--map HOST=ADDR:PORT` (or `HOST=https://ADDR:PORT`). @throws BadInput */
export function networkOptions(options: Pick<LocalOptions, 'allow' | 'map'>): NetworkOptions {
  for (const entry of options.allow) {
    if (splitHostPort(entry) === null) throw new BadInput(`invalid --allow ${entry}; use HOST:PORT`);
  }
  return { allow: [...options.allow], map: options.map.map(mapping) };
}

function mapping(entry: string): { host: string; address: string } {
  const cut = entry.indexOf('=');
  const host = entry.slice(0, cut);
  const address = entry.slice(cut + 1);
  const bare = address.replace(/^https?:\/\//, '').replace(/\/$/, '');
  if (cut < 1 || /[/:\s]/.test(host) || splitHostPort(bare) === null) {
    throw new BadInput(`invalid --map ${entry}; use HOST=ADDR:PORT or HOST=https://ADDR:PORT`);
  }
  return { host, address: address.replace(/\/$/, '') };
}

/** The maximum time limit of a task. */
const MAX_SECONDS = 7 * 24 * 3600;

/** Seconds of `--time-limit`; null for the time limit of the task. @throws BadInput */
export function timeLimit(options: Pick<LocalOptions, 'timeLimit'>): number | null {
  if (options.timeLimit === undefined) return null;
  const seconds = Number(options.timeLimit);
  if (!/^\d+(\.\d+)?$/.test(options.timeLimit) || seconds <= 0 || seconds > MAX_SECONDS) {
    throw new BadInput(
      `invalid --time-limit ${options.timeLimit}; use a number of seconds greater than 0 and at most one week`,
    );
  }
  return seconds;
}
