import { expect, test } from 'vitest';
import { createTargetUrls } from './target-urls.ts';

test('a frame’s URL is what the browser last said of it', () => {
  const table = createTargetUrls();
  const tell = (method: string, url: string): void =>
    table.event({ method, params: { targetInfo: { targetId: 'F', url } } });
  tell('Target.targetCreated', 'about:blank');
  tell('Target.targetInfoChanged', 'https://a.test/');
  expect(table.urlOf('F')).toBe('https://a.test/');
  table.event({ method: 'Target.targetDestroyed', params: { targetId: 'F' } });
  table.event({ method: 'Other.thing', params: { targetInfo: { targetId: 'F', url: 'x' } } });
  table.event({ method: 'Target.targetCreated' });
  expect(table.urlOf('F')).toBe('');
});

test('endless frames take bounded memory, the newest are kept', () => {
  const table = createTargetUrls();
  for (let n = 0; n < 20_000; n += 1)
    table.event({ method: 'Target.targetCreated', params: { targetInfo: { targetId: `F${n}`, url: `u${n}` } } });
  expect([table.urlOf('F0'), table.urlOf('F19999')]).toEqual(['', 'u19999']);
});

test('an address without end is kept as far as it says where it is', () => {
  const table = createTargetUrls();
  const url = `data:text/html,${'x'.repeat(100_000)}`;
  table.event({ method: 'Target.targetCreated', params: { targetInfo: { targetId: 'F', url } } });
  expect(table.urlOf('F')).toBe(url.slice(0, 2_048));
});
