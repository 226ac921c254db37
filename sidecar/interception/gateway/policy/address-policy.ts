import ipaddr from 'ipaddr.js';

/**
 * Which addresses a page may reach. A browser inside a cluster is next to services that trust their network: cloud
 * metadata, the API server, other pods. Only globally routed unicast addresses are permitted; an address that embeds
 * another (IPv4-mapped, NAT64) is checked by the embedded one.
 */

/** Addresses that look public but are internal to a cloud: Azure's wire server, Oracle's and Alibaba's metadata. */
const CLOUD_INTERNAL = new Set(['168.63.129.16', '192.0.0.192', '100.100.100.200']);
/** IPv6 that is routed globally at all (RFC 4291, 2.4). */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/** @param address a resolved IP address, without brackets or zone. @returns false for anything else. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed.kind() === 'ipv4' ? isPublicV4(parsed as ipaddr.IPv4) : isPublicV6(parsed as ipaddr.IPv6);
}

/** Whether an address is the machine's (pod's) own. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !CLOUD_INTERNAL.has(address.toString());
}

function isPublicV6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicV4(address.toIPv4Address());
  // Clusters without IPv4 reach the IPv4 internet through these; the last four bytes are the destination.
  if (address.range() === 'rfc6052') return isPublicV4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST);
}
