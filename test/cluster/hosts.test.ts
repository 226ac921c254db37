import { describe, expect, it } from 'vitest';
import { addHost, withHost } from './hosts.ts';

describe('the hosts file of fixture sites', () => {
  it('gains a line per name', () => {
    const one = withHost('', 'shop.test', '10.0.0.1');
    expect(withHost(one, 'mail.test', '10.0.0.2')).toBe('10.0.0.1 shop.test\n10.0.0.2 mail.test\n');
  });

  it('has one address per name, the last given', () => {
    expect(withHost('10.0.0.1 shop.test\n10.0.0.9 a.shop.test\n', 'shop.test', '10.0.0.3')).toBe(
      '10.0.0.9 a.shop.test\n10.0.0.3 shop.test\n',
    );
  });

  it('loses a name whose address is taken away', () => {
    expect(withHost('10.0.0.1 shop.test\n', 'shop.test', undefined)).toBe('');
  });

  it.each([
    ['two words', 'a b', '10.0.0.1'],
    ['a line break', 'a\nb', '10.0.0.1'],
    ['no address', 'a.test', 'b.test'],
  ])('refuses %s', async (_, name, address) => {
    await expect(addHost(name, address)).rejects.toThrow(/is not a valid/);
  });
});
