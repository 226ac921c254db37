import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFolder } from '../../test/conformance/read-suite-folder.ts';
import { exampleText } from '../../test/browser/corpus/example-url.ts';
import { CORPORA, hasCorpus } from '../../test/shared-data.ts';
import { compilePattern } from '../request/url-pattern.ts';
import { compileTarget } from '../request/predicate.ts';
import { lintSuite } from '../lint/suite-lint.ts';
import { readSuite } from './suite.ts';
import { parseTask } from './task.ts';

const suites = ['v1', 'v1-lite', 'v2', 'claw-eval'].filter(hasCorpus);

/** Upstream.md 1.7: the twelve of V1 whose target is on another domain than the site, and the three that name a webmail. */
const ELSEWHERE = [86, 120, 121, 128, 482, 489, 533, 565, 569, 570, 609, 750, 770, 781, 795];

// A file without a test fails.
if (suites.length === 0) it.skip('the public corpora, which are not here');

describe.each(suites)('the public corpus %s', (name) => {
  const suite = readSuite(readFolder(join(CORPORA, name)));
  const tasks = suite.cases.map((one) => ({ name: one.name, task: parseTask(one.taskBytes) }));

  it('loads completely and has no lint errors', () => {
    expect(tasks.length).toBeGreaterThan(15);
    expect(lintSuite(suite).filter((finding) => finding.severity === 'error')).toEqual([]);
  });

  it('has exactly the expected warnings', () => {
    const sites = lintSuite(suite).filter((finding) => finding.code === 'site');
    const ids = sites.map((finding) => Number(/^(?:v\d+-)?(\d+)/.exec(finding.path)?.[1]));
    if (name === 'v2') for (const id of [86, 533, 609, 1107]) expect(ids).toContain(id);
    else expect(ids).toEqual(name === 'v1' ? ELSEWHERE : []);
  });

  it('has a group for every task and a time limit in whole seconds', () => {
    for (const { task } of tasks) {
      expect(task.timeLimitSeconds).toBeGreaterThanOrEqual(600);
      if (name !== 'claw-eval') expect(task.group, task.metaclass).not.toBe('Other');
    }
  });

  it('has patterns that agree with RegExp over URLs made from them', () => {
    for (const source of new Set(tasks.map(({ task }) => task.evalSchema.url_pattern))) {
      const ours = compilePattern(source);
      const theirs = new RegExp(source);
      for (const url of urlsFor(source))
        expect([source, url, ours.search(url)]).toEqual([source, url, theirs.test(url)]);
    }
  });

  it('has targets that match an example of themselves, except the placeholder', () => {
    for (const { name: one, task } of tasks) {
      const target = compileTarget(task.evalSchema);
      const example = `https://${exampleText(task.evalSchema.url_pattern)}`;
      expect(compilePattern(task.evalSchema.url_pattern).search(example), `${one}: ${example}`).toBe(true);
      expect(target.matchesHead({ url: example, method: task.evalSchema.method }), one).toBe(true);
      expect(target.matchesHead({ url: example, method: 'OPTIONS' })).toBe(false);
    }
  });
});

/** Near and far: the example, with one character changed, dropped or doubled at each place, and inside another URL. */
function urlsFor(pattern: string): string[] {
  const base = `https://www.${exampleText(pattern)}`;
  // Every third place of the URL: all of them take seconds and show nothing more.
  const mutated = [...base].flatMap((_, at) =>
    at % 3 !== 0
      ? []
      : [
          base.slice(0, at) + 'q' + base.slice(at + 1),
          base.slice(0, at) + base.slice(at + 1),
          base.slice(0, at + 1) + base.slice(at),
        ],
  );
  return [base, `${base}/more?a=1`, `${base}?x=2`, `https://other.test/?u=${base}`, '', ...mutated];
}
