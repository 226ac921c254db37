import { expect, test } from 'vitest';
import { createTargetUrls } from './target-urls.ts';

test('a frame’s URL is the last one that the browser reported', () => {
  const urls = createTargetUrls();
  const report = (method: string, url: string): void =>
    urls.event({ method, params: { targetInfo: { targetId: 'F', url } } });
  report('Target.targetCreated', 'about:blank');
  report('Target.targetInfoChanged', 'https://a.test/');
  expect(urls.urlOf('F')).toBe('https://a.test/');
  urls.event({ method: 'Target.targetDestroyed', params: { targetId: 'F' } });
  urls.event({ method: 'Other.thing', params: { targetInfo: { targetId: 'F', url: 'x' } } });
  urls.event({ method: 'Target.targetCreated' });
  expect(urls.urlOf('F')).toBe('');
});

test('any number of frames takes bounded memory; the newest are kept', () => {
  const urls = createTargetUrls();
  for (let n = 0; n < 20_000; n += 1)
    urls.event({ method: 'Target.targetCreated', params: { targetInfo: { targetId: `F${n}`, url: `u${n}` } } });
  expect([urls.urlOf('F0'), urls.urlOf('F19999')]).toEqual(['', 'u19999']);
});

test('a very long URL is truncated', () => {
  const urls = createTargetUrls();
  const url = `data:text/html,${'x'.repeat(100_000)}`;
  urls.event({ method: 'Target.targetCreated', params: { targetInfo: { targetId: 'F', url } } });
  expect(urls.urlOf('F')).toBe(url.slice(0, 2_048));
});
