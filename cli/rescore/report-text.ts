import Table from 'cli-table3';
import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { countOf, isOrAre } from '../../benchmark/text/count-of.ts';
import type { Score } from '../../benchmark/aggregate/score.ts';
import type { RescoreReport } from './rescore.ts';

/** Problems that are printed; the others are only counted. */
const SHOWN = 10;

/** The report as a table, one row per batch. */
export function rescoreTable(report: RescoreReport, rubrics: readonly Rubric[]): string {
  const table = new Table({
    head: ['batch', 'runs', 'eligible', 'intercepted', ...rubrics.map((rubric) => rubric.toLowerCase()), 'unjudged'],
    style: { head: [], border: [] },
  });
  for (const { batch, scores } of report.batches) {
    const { overall } = scores;
    const unjudged = rubrics.reduce((sum, rubric) => sum + (overall.rubrics[rubric]?.unjudged ?? 0), 0);
    const rates = rubrics.map((rubric) => rateText(overall, rubric));
    const intercepted = percent(overall.interceptedRate, overall.interceptedLow, overall.interceptedHigh);
    table.push([batch, overall.nTotal, overall.nEligible, intercepted, ...rates, unjudged]);
  }
  return table.toString();
}

function rateText(score: Score, rubric: Rubric): string {
  const found = score.rubrics[rubric];
  return percent(found?.rate ?? null, found?.low ?? null, found?.high ?? null);
}

/** `34.6 % (26.9–43.1)`: the rate over all closed runs and its 95 % confidence interval. */
function percent(rate: number | null, low: number | null, high: number | null): string {
  const text = (value: number): string => (100 * value).toFixed(1);
  if (rate === null) return '–';
  return low === null || high === null ? `${text(rate)} %` : `${text(rate)} % (${text(low)}–${text(high)})`;
}

/**
 * What was done and where the results are stored.
 * @param location location as the user wrote it
 * @param out folder of the tables; null if none were written
 */
export function doneSentence(report: RescoreReport, location: string, out: string | null): string {
  const tables = out === null ? '' : `, tables to ${out}/<batch>/`;
  return `judged ${countOf(report.judged, 'run')}; wrote verdicts to each bundle and rescore-summary.json to each batch in ${location}${tables}`;
}

/** The problems, one message each. */
export function problemSentences(report: RescoreReport): string[] {
  const { missing, problems } = report;
  const more = problems.length > SHOWN ? [`… and ${String(problems.length - SHOWN)} more like these`] : [];
  const open =
    missing.length === 0
      ? []
      : [
          `${countOf(missing.length, 'verdict')} ${isOrAre(missing.length)} missing; run the command again to judge only these`,
        ];
  return [...problems.slice(0, SHOWN), ...more, ...open];
}
