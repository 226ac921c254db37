import { expect, it } from 'vitest';
import { interruptedText, leftRunningText } from './removal-hints.ts';

it.each([
  ['embedded', /eval "\$\(npm run -s cluster -- env\)"/, /npm run cluster -- down/],
  ['kind', /kubectl -n demo get/, /kind delete cluster/],
  ['given', /kubectl -n demo get/, /helm uninstall/],
] as const)('on a cluster that is %s it says how to look, how to end, and what a rerun deletes', (use, look, end) => {
  const text = leftRunningText({ describe: 'd', use }, 'demo');
  for (const pattern of [look, end, /next "npm run demo" deletes that namespace/]) expect(text).toMatch(pattern);
  expect(text.includes('npm run cluster')).toBe(use === 'embedded');
});

it.each(['embedded', 'kind', 'given'] as const)(
  'on a cluster that is %s it says once how to make way for an install by Helm',
  (use) => {
    const text = leftRunningText({ describe: 'd', use }, 'demo');
    expect(
      text.match(/helm uninstall clawbench -n demo-system; kubectl delete namespace demo demo-system/g),
    ).toHaveLength(1);
    expect(text).toMatch(/kubectl delete crd clawbenchbatches\.claw-bench\.com clawbenchruns\.claw-bench\.com/);
  },
);

it.each([
  ['embedded', /the cluster and .*\(d\).*: npm run cluster -- down$/],
  ['kind', /the cluster and .*\(d\).*: kind delete cluster --name clawbench$/],
  [
    'given',
    /: the objects of the demo \(d\).*: helm uninstall clawbench -n demo-system; kubectl delete namespace demo /,
  ],
] as const)(
  'an interrupt on a cluster that is %s prints in one line what runs and how to remove it',
  (use, pattern) => {
    const text = interruptedText({ describe: 'd', use }, 'demo');
    expect(text).toMatch(pattern);
    expect(text).not.toContain('\n');
  },
);

it('an interrupt before the cluster is up says so', () => {
  expect(interruptedText(null, 'demo')).toMatch(/before the cluster of the demo was up/);
});
