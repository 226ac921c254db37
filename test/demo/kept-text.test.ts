import { expect, it } from 'vitest';
import { keptText } from './kept-text.ts';

it.each([
  ['embedded', /eval "\$\(npm run -s cluster -- env\)"/, /npm run cluster -- down/],
  ['kind', /kubectl -n demo get/, /kind delete cluster/],
  ['given', /kubectl -n demo get/, /helm uninstall/],
] as const)('on a cluster that is %s it says how to look, how to end, and what a rerun deletes', (use, look, end) => {
  const text = keptText({ describe: 'd', use }, 'demo');
  for (const pattern of [look, end, /next "npm run demo" deletes that namespace/]) expect(text).toMatch(pattern);
  expect(text.includes('npm run cluster')).toBe(use === 'embedded');
});
