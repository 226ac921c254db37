import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

interface Dumps {
  readonly before: string[];
  readonly during: string[];
  readonly after: string[];
}

/** Root, iptables, and a kernel that gives a network namespace. */
function possible(): boolean {
  try {
    execFileSync('unshare', ['-n', 'sh', '-c', 'iptables-save && ip link add cbc-br0 type bridge'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

it.skipIf(!possible())(
  'in both families the API server answers loopback and pods alone, and no rule is left of it',
  async () => {
    const script = `ip link set lo up; ip link add cbc-br0 type bridge; exec ${process.execPath} ${join(import.meta.dirname, 'firewall.fixture.ts')}`;
    const { stdout } = await promisify(execFile)('unshare', ['-n', 'sh', '-c', script], { timeout: 60_000 });
    const { before, during, after } = JSON.parse(stdout) as Dumps;
    for (const dump of during) {
      const chain = dump.split('\n').filter((line) => line.startsWith('-A CBC-API') || line.includes('--dport'));
      expect(chain).toEqual([
        '-A INPUT -p tcp -m tcp --dport 16443 -m comment --comment cbc -j CBC-API',
        '-A CBC-API -i lo -j RETURN',
        '-A CBC-API -i cbc-br0 -j RETURN',
        expect.stringMatching(/^-A CBC-API -j REJECT/),
      ]);
    }
    expect(after).toEqual(before);
  },
  60_000,
);
