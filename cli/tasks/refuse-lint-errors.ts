import { countOf } from '../../benchmark/text/count-of.ts';
import { lintSuite } from '../../benchmark/lint/suite-lint.ts';
import { readSuite, type SuiteFile } from '../../benchmark/task/suite.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { lintLine } from './lint-text.ts';

const SHOWN = 5;

/**
 * Refuses a suite with lint errors before it is stored, rather than when a batch uses it. `--force` exists because a batch
 * is less strict: it runs tasks that upstream's runner accepts against its own schema, and needs only the selected tasks.
 * @throws CliFailure with the first errors; SuiteError
 */
export function refuseLintErrors(files: readonly SuiteFile[]): void {
  const errors = lintSuite(readSuite(files)).filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const shown = errors.slice(0, SHOWN).map((one) => lintLine('error', one));
  const more =
    errors.length > SHOWN ? [`${String(errors.length - SHOWN)} more; run clawbench tasks lint to see them`] : [];
  const head = `the suite is not stored because lint found ${countOf(errors.length, 'error')}; fix them, or use --force to store it anyway`;
  throw new CliFailure(EXIT.failed, [head, ...shown, ...more].join('\n'));
}
