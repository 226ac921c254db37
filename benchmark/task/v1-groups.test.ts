import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CATEGORY_GROUPS } from './category-group.ts';
import { CORPORA, hasCorpus } from '../../test/shared-data.ts';
import { parseTask } from './task.ts';

const v1 = join(CORPORA, 'v1');

/** Denominators of the paper's table; the pet task that was removed since is why the last one is 10 and not 11. */
const PUBLISHED = { Daily: 52, Finance: 6, Work: 21, Dev: 18, Academic: 14, Travel: 13, Social: 18, Pets: 10 };

it.runIf(hasCorpus('v1'))("V1 has the paper's number of tasks in each of the eight groups", () => {
  const tasks = readdirSync(v1)
    .map((name) => join(v1, name, 'task.json'))
    .filter((path) => existsSync(path))
    .map((path) => parseTask(readFileSync(path)));
  const sizes = Object.fromEntries(
    CATEGORY_GROUPS.map((group) => [group, tasks.filter((task) => task.group === group).length]),
  );
  expect(sizes).toMatchObject(PUBLISHED);
  expect(tasks).toHaveLength(152);
});
