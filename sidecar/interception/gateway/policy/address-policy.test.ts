import { expect, test } from 'vitest';
import { isLoopbackAddress, isPublicAddress } from './address-policy.ts';

test.each([
  ['93.184.216.34', true],
  ['8.8.8.8', true],
  ['2606:2800:220:1:248:1893:25c8:1946', true],
  ['::ffff:8.8.8.8', true],
  ['64:ff9b::8.8.8.8', true],
  // loopback, private, link-local, carrier-grade, reserved
  ['127.0.0.1', false],
  ['127.255.255.254', false],
  ['0.0.0.0', false],
  ['10.0.0.1', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['169.254.1.1', false],
  ['100.64.0.1', false],
  ['198.18.0.1', false],
  ['192.0.2.1', false],
  ['224.0.0.1', false],
  ['240.0.0.1', false],
  ['255.255.255.255', false],
  // metadata services of the clouds
  ['169.254.169.254', false],
  ['169.254.170.2', false],
  ['168.63.129.16', false],
  ['100.100.100.200', false],
  ['192.0.0.192', false],
  ['fd00:ec2::254', false],
  // IPv6: loopback, unspecified, unique local, link-local, site-local, multicast, documentation
  ['::1', false],
  ['::', false],
  ['fc00::1', false],
  ['fd12:3456::1', false],
  ['fe80::1', false],
  ['fec0::1', false],
  ['ff02::1', false],
  ['2001:db8::1', false],
  // a private address inside another
  ['::ffff:127.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['::ffff:169.254.169.254', false],
  ['::127.0.0.1', false],
  ['::a00:1', false],
  ['64:ff9b::10.0.0.1', false],
  ['64:ff9b::a9fe:a9fe', false],
  ['2002:7f00:1::', false],
  ['2001:0:53aa:64c::1', false],
  // no address at all
  ['localhost', false],
  ['', false],
  ['[::1]', false],
])('%s → %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

test.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['x', false],
])('loopback: %s → %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected);
});
