import { RUBRICS, type Rubric } from '../../benchmark/judge/rubrics.ts';
import { countOf } from '../../benchmark/text/count-of.ts';
import { html, type Html } from './html.ts';
import { pageAddress, outcomeBadge, renderPage, verdictBadge } from './page.ts';
import type { FoundRuns } from './find-runs.ts';
import type { RunSummary } from './run-summary.ts';
import { formatDuration, formatCost } from './format-units.ts';

/** The filter of the index; an empty field matches all runs. */
export interface IndexFilter {
  readonly outcome: string;
  readonly harness: string;
}

/** Maximum number of rows; more make the browser slow. */
const MAX_SHOWN = 5000;

/** The list of runs, grouped by batch. @param directory the folder as the user wrote it */
export function renderIndex(directory: string, found: FoundRuns, filter: IndexFilter): string {
  const matching = found.runs.filter(
    (run) =>
      (filter.outcome === '' || run.result.outcome === filter.outcome) &&
      (filter.harness === '' || run.harness === filter.harness),
  );
  const shown = matching.slice(0, MAX_SHOWN);
  const batches = Map.groupBy(shown, (run) => run.batch);
  const body = html`<header class="top">
      <strong>ClawBench evidence</strong><span class="dim">${directory}</span>
    </header>
    <main>
      ${filterForm(found.runs, filter, matching.length)}
      ${found.cut && html`<p class="note">The folder is too large, so not all of its subfolders were searched.</p>`}
      ${matching.length > MAX_SHOWN && html`<p class="note">Only the first ${MAX_SHOWN} of ${matching.length} runs are shown. Use the filter to see others.</p>`}
      ${shown.length === 0 && html`<p>${found.runs.length === 0 ? 'No runs found. A run is a folder with a file run-meta.json.' : 'No runs match the filter.'}</p>`}
      ${[...batches].map(([batch, runs]) => batchSection(batch, runs))}
    </main>`;
  return renderPage(countOf(shown.length, 'run'), body);
}

function filterForm(runs: readonly RunSummary[], filter: IndexFilter, count: number): Html {
  return html`<form class="filter" method="get" action="/">
    ${select(
      'outcome',
      runs.map((run) => run.result.outcome),
      filter.outcome,
    )}
    ${select(
      'harness',
      runs.map((run) => run.harness),
      filter.harness,
    )}
    <noscript><button>Filter</button></noscript>
    <span class="dim">${count} of ${countOf(runs.length, 'run')}</span>
    ${(filter.outcome !== '' || filter.harness !== '') && html`<a href="/">show all</a>`}
  </form>`;
}

function select(name: string, values: readonly string[], chosen: string): Html {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const options = [...counts].filter(([value]) => value !== '').sort(([a], [b]) => (a < b ? -1 : 1));
  return html`<label
    >${name}
    <select name="${name}">
      <option value="">all</option>
      ${options.map(
        ([value, count]) =>
          html`<option value="${value}" ${value === chosen && html` selected`}>${value} (${count})</option>`,
      )}
    </select></label
  >`;
}

function batchSection(batch: string, runs: readonly RunSummary[]): Html {
  const harnesses = Map.groupBy(runs, (run) => `${run.harness} · ${run.model}`);
  const columns = columnsOf(runs);
  return html`<section>
    <h2>Batch ${batch}</h2>
    <ul class="tally">
      ${[...harnesses].map(([name, members]) => tally(name, members))}
    </ul>
    <table class="runs">
      <thead>
        <tr>
          <th>Task</th>
          <th>Harness</th>
          <th>Model</th>
          <th>Outcome</th>
          <th>Intercepted</th>
          ${columns.rubrics.map((rubric) => html`<th>${rubric}</th>`)}
          <th class="number">Actions</th>
          <th class="number">Requests</th>
          <th class="number">Time</th>
          ${columns.priced && html`<th class="number">Cost</th>`}
        </tr>
      </thead>
      <tbody>
        ${runs.map((run) => row(run, columns))}
      </tbody>
    </table>
  </section>`;
}

/** Attempts that do not count are listed but not included in the totals. */
function tally(name: string, members: readonly RunSummary[]): Html {
  const runs = members.filter((run) => run.counts);
  const intercepted = runs.filter((run) => run.intercepted).length;
  const passed = runs.filter((run) => run.result.outcome === 'Passed').length;
  return html`<li>
    <strong>${name}</strong> ${countOf(runs.length, 'run')}, ${intercepted} intercepted, ${passed} passed
  </li>`;
}

/** Optional columns: the rubrics with verdicts, and the cost. */
interface Columns {
  readonly rubrics: readonly Rubric[];
  readonly priced: boolean;
}

function columnsOf(runs: readonly RunSummary[]): Columns {
  const asked = new Set(runs.flatMap((run) => run.verdicts.map(({ rubric }) => rubric)));
  return {
    rubrics: RUBRICS.filter((rubric) => asked.has(rubric)),
    priced: runs.some((run) => run.costUSD !== null),
  };
}

function row(run: RunSummary, { rubrics, priced }: Columns): Html {
  const repetition =
    run.repetition !== null && run.repetition > 1 && html` <span class="dim">#${run.repetition}</span>`;
  const superseded = !run.counts && html` <span class="badge none">attempt ${run.attempt ?? '?'}, not counted</span>`;
  return html`<tr>
    <td><a href="${pageAddress('run', run.path)}">${run.task}</a>${repetition}${superseded}</td>
    <td>${run.harness}</td>
    <td>${run.model}</td>
    <td>${outcomeBadge(run.result.outcome)} <span class="dim">${run.result.reason}</span></td>
    <td>${run.intercepted ? 'yes' : html`<span class="dim">no</span>`}</td>
    ${rubrics.map((rubric) => html`<td>${verdictBadge(matchOf(run, rubric))}</td>`)}
    <td class="number">${run.actions ?? '–'}</td>
    <td class="number">${run.requests ?? '–'}</td>
    <td class="number">${formatDuration(run.durationSeconds)}</td>
    ${priced && html`<td class="number">${formatCost(run.costUSD)}</td>`}
  </tr> `;
}

function matchOf(run: RunSummary, rubric: Rubric): boolean | null | undefined {
  return run.verdicts.find((verdict) => verdict.rubric === rubric)?.match;
}
