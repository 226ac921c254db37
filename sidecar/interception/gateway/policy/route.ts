import { domainToASCII } from 'node:url';
import type { RunConfig } from '../../../../benchmark/protocol/run-config.ts';
import { ANSWER_PAGE_ROUTES } from '../../../control/answer-page.ts';

/** Where a request of the browser may go. Pure: names are not resolved here; `outbound-socket.ts` checks the addresses. */
export type EgressRoute =
  | { readonly kind: 'refuse'; readonly message: string }
  /** The recorder's own answer page, and only its two routes. */
  | { readonly kind: 'answer-page'; readonly port: number }
  | { readonly kind: 'mapped'; readonly host: string; readonly port: number; readonly tls: boolean }
  /** `allowPrivate`: the run names this host and port, so its address may be private. */
  | { readonly kind: 'direct'; readonly allowPrivate: boolean };

export interface RouteRules {
  readonly allow: ReadonlySet<string>;
  readonly map: ReadonlyMap<string, { readonly host: string; readonly port: number; readonly tls: boolean }>;
  readonly controlPort: number;
}

export interface Destination {
  /** As the browser wrote it, without brackets. */
  readonly host: string;
  readonly port: number;
}

/** @throws when an address of the run's network block cannot be read; the message names it. */
export function routeRules(network: RunConfig['network'], controlPort: number): RouteRules {
  const map = network.map.map(({ host, address }) => [canonicalHost(host), mappedAddress(address)] as const);
  // Mapping a host to an address allows the address itself (`--map`, `network.map`).
  const implied = map.map(([, address]) => `${canonicalHost(address.host)}:${address.port}`);
  return { allow: new Set([...network.allow.map(allowed), ...implied]), map: new Map(map), controlPort };
}

export function routeTo(
  rules: RouteRules,
  destination: Destination,
  request?: { method: string; path: string },
): EgressRoute {
  const host = canonicalHost(destination.host);
  const mapped = rules.map.get(host);
  if (mapped !== undefined) return { kind: 'mapped', ...mapped };
  if (destination.port === rules.controlPort && isLoopbackName(host)) return control(rules, request);
  return { kind: 'direct', allowPrivate: rules.allow.has(`${host}:${destination.port}`) };
}

function control(rules: RouteRules, request: { method: string; path: string } | undefined): EgressRoute {
  if (ANSWER_PAGE_ROUTES.has(`${request?.method} ${request?.path}`))
    return { kind: 'answer-page', port: rules.controlPort };
  return { kind: 'refuse', message: 'the recorder serves a browser only GET /submit and POST /api/task-submit' };
}

/** Lower case, without brackets and trailing dot; the usual names of the machine itself become 127.0.0.1. */
export function canonicalHost(host: string): string {
  const plain = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (plain === 'localhost' || plain === '::1') return '127.0.0.1';
  // Browsers send an IDN in its ASCII form; people write it in `network.map` and `--map` as they read it.
  return /[^\0-\x7f]/.test(plain) ? domainToASCII(plain) || plain : plain;
}

/** Splits `host:port` or `[v6]:port`; null if it is neither. The command line checks `--allow` and `--map` with it, too. */
export function splitHostPort(text: string): Destination | null {
  const parts = /^(\[[0-9a-f:.]+\]|[^\s:/[\]]+):(\d{1,5})$/i.exec(text);
  const port = Number(parts?.[2]);
  if (parts?.[1] === undefined || port < 1 || port > 65535) return null;
  return { host: parts[1].replace(/^\[|\]$/g, ''), port };
}

function isLoopbackName(host: string): boolean {
  return /^127\.\d+\.\d+\.\d+$/.test(host) || host === '0.0.0.0' || host === '::' || host.endsWith('.localhost');
}

function allowed(entry: string): string {
  const parts = splitHostPort(entry);
  if (parts === null) throw new Error(`network.allow: ${JSON.stringify(entry)} is not HOST:PORT`);
  return `${canonicalHost(parts.host)}:${parts.port}`;
}

function mappedAddress(address: string): { host: string; port: number; tls: boolean } {
  const tls = address.startsWith('https://');
  const parts = splitHostPort(address.replace(/^https?:\/\//, ''));
  if (parts === null) throw new Error(`network.map: ${JSON.stringify(address)} is not ADDR:PORT or https://ADDR:PORT`);
  return { ...parts, tls };
}
