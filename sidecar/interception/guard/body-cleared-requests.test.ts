import { expect, test } from 'vitest';
import { createBodyClearedRequests } from './body-cleared-requests.ts';

test('a request is known again by what the gateway can see of it', () => {
  const released = createBodyClearedRequests();
  released.add({ method: 'POST', url: 'https://u:p@Shop.test:443/pay?a=1#x' });
  expect(released.has({ method: 'POST', url: 'https://shop.test/pay?a=1' })).toBe(true);
  expect(released.has({ method: 'PUT', url: 'https://shop.test/pay?a=1' })).toBe(false);
  expect(released.has({ method: 'POST', url: 'https://shop.test/pay?a=2' })).toBe(false);
  expect(released.has({ method: 'POST', url: 'no url' })).toBe(false);
});

test('a page that sends without end takes bounded memory; the newest are kept', () => {
  const released = createBodyClearedRequests();
  for (let n = 0; n <= 10_000; n += 1) released.add({ method: 'POST', url: `https://a.test/${n}` });
  expect(released.has({ method: 'POST', url: 'https://a.test/0' })).toBe(false);
  expect(released.has({ method: 'POST', url: 'https://a.test/10000' })).toBe(true);
});
