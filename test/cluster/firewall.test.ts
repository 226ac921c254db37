import { describe, expect, it } from 'vitest';
import { emptyTables, hasKubernetesChains, withoutOurs } from './firewall.ts';

const foreign = ['*filter', ':INPUT ACCEPT [3:180]', ':DOCKER - [0:0]', '-A INPUT -p tcp -m tcp --dport 22 -j ACCEPT'];
const end = ['-A FORWARD -m comment --comment "cbc-like but not ours" -j DROP', 'COMMIT', ''];
const ours = [
  ':KUBE-SERVICES - [0:0]',
  ':CNI-HOSTPORT-DNAT - [0:0]',
  ':CBC-API - [0:0]',
  '-A INPUT -p tcp -m tcp --dport 16443 -m comment --comment cbc -j CBC-API',
  '-A CBC-API -i lo -j RETURN',
  '-A CBC-API -i cbc-br0 -j RETURN',
  '-A CBC-API -j REJECT --reject-with icmp-port-unreachable',
  '-A FORWARD -i cbc-br0 -o cbc-br0 -m comment --comment cbc -j ACCEPT',
  '-A FORWARD -i cbc-br0 ! -o cbc-br0 -m comment --comment "cbc" -j REJECT --reject-with icmp-port-unreachable',
  '-A INPUT -m comment --comment "kubernetes health check service ports" -j KUBE-NODEPORTS',
  '-A PREROUTING -m addrtype --dst-type LOCAL -j CNI-HOSTPORT-DNAT',
];

describe('the firewall dump without the cluster', () => {
  it('loses our chains and rules and nothing else', () => {
    const dump = [...foreign, ...ours, ...end].join('\n');
    expect(withoutOurs(dump)).toBe([...foreign, ...end].join('\n'));
  });

  it('is the same text when none of the rules were ours, so that no restore is needed', () => {
    const dump = [...foreign, ...end].join('\n');
    expect(withoutOurs(dump)).toBe(dump);
  });

  it('shows another Kubernetes by its chains, not by a rule that mentions it', () => {
    expect(hasKubernetesChains([...foreign, ...ours].join('\n'))).toBe(true);
    expect(hasKubernetesChains('-A INPUT -m comment --comment KUBE-ish -j ACCEPT')).toBe(false);
  });

  it.each<[string, string[], boolean]>([
    ['built-in chains that accept', [':INPUT ACCEPT [0:0]', ':OUTPUT ACCEPT [5:60]'], true],
    ['a policy that drops', [':INPUT DROP [0:0]', ':OUTPUT ACCEPT [0:0]'], false],
    ['a chain of another program', [':INPUT ACCEPT [0:0]', ':DOCKER - [0:0]'], false],
    ['a rule', [':INPUT ACCEPT [0:0]', '-A INPUT -j ACCEPT'], false],
  ])('calls a table with %s what it is', (_, lines, empty) => {
    const dump = ['# Generated', '*mangle', ...lines, 'COMMIT', '# Completed', '*raw', '-A X -j DROP', 'COMMIT', ''];
    expect(emptyTables(dump.join('\n'))).toEqual(empty ? ['mangle'] : []);
  });
});
