import { expect, it } from 'vitest';
import { interfaceNames } from './network.ts';

it('interface names come without their peer', () => {
  const listing = '7: veth1a2b@if3: <BROADCAST> mtu 1500\n9: veth9@eth0: <UP>\n10: cbc-br0: <UP>\n';
  expect(interfaceNames(listing)).toEqual(['veth1a2b', 'veth9', 'cbc-br0']);
});
