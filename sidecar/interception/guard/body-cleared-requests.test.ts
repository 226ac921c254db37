import { expect, test } from 'vitest';
import { createBodyClearedRequests } from './body-cleared-requests.ts';

test('a request is recognized by what the gateway sees of it', () => {
  const requests = createBodyClearedRequests();
  requests.add({ method: 'POST', url: 'https://u:p@Shop.test:443/pay?a=1#x' });
  expect(requests.has({ method: 'POST', url: 'https://shop.test/pay?a=1' })).toBe(true);
  expect(requests.has({ method: 'PUT', url: 'https://shop.test/pay?a=1' })).toBe(false);
  expect(requests.has({ method: 'POST', url: 'https://shop.test/pay?a=2' })).toBe(false);
  expect(requests.has({ method: 'POST', url: 'no url' })).toBe(false);
});

test('a page that sends any number of requests takes bounded memory; the newest are kept', () => {
  const requests = createBodyClearedRequests();
  for (let n = 0; n <= 10_000; n += 1) requests.add({ method: 'POST', url: `https://a.test/${n}` });
  expect(requests.has({ method: 'POST', url: 'https://a.test/0' })).toBe(false);
  expect(requests.has({ method: 'POST', url: 'https://a.test/10000' })).toBe(true);
});
