import { countOf } from '../../benchmark/text/count-of.ts';
import { lintSuite } from '../../benchmark/lint/suite-lint.ts';
import { readSuite, type SuiteFile } from '../../benchmark/task/suite.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { lintLine } from './lint-text.ts';

const SHOWN = 5;

/**
 * A suite with an error of lint is told before it is stored, not by the batch that needs it. `--force` is there because a
 * batch is less strict: a task that upstream's runner takes against its own schema runs, and only what is selected has to.
 * @throws CliFailure with the first errors; SuiteError
 */
export function refuseLintErrors(files: readonly SuiteFile[]): void {
  const errors = lintSuite(readSuite(files)).filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const shown = errors.slice(0, SHOWN).map((one) => lintLine('error', one));
  const more = errors.length > SHOWN ? [`${String(errors.length - SHOWN)} more (clawbench tasks lint shows them)`] : [];
  const head = `lint finds ${countOf(errors.length, 'error')}, so the suite is not stored; --force stores it all the same`;
  throw new CliFailure(EXIT.failed, [head, ...shown, ...more].join('\n'));
}
