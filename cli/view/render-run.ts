import { countOf } from '../../benchmark/text/count-of.ts';
import { runTimes } from './run-times.ts';
import { labelAt, momentAt, numberAt, textAt, valueAt } from './fields.ts';
import { inFolder } from './find-runs.ts';
import { html, type Html } from './html.ts';
import { pageAddress, outcomeBadge, renderPage, verdictBadge } from './page.ts';
import { renderMessages, renderRequests } from './render-requests-and-messages.ts';
import { renderInterception } from './render-interception.ts';
import { renderTimeline } from './render-timeline.ts';
import type { RunSummary } from './run-summary.ts';
import type { RunView } from './run-view.ts';
import { formatBytes, formatDuration, formatCost, formatUtc } from './format-units.ts';

/** The page of one run. */
export function renderRun(view: RunView): string {
  const { summary } = view;
  const times = runTimes(view);
  const body = html`<header class="top">
      <a href="/">All runs</a><span class="dim">${summary.batch} / ${summary.harness} / ${summary.model}</span>
    </header>
    <main>
      <h1>${summary.task} ${outcomeBadge(summary.result.outcome)}</h1>
      ${!summary.counts && html`<p class="note">This attempt does not count, because it was not closed or another attempt was.</p>`}
      <div class="two">
        <section class="card">
          <h2>Instruction</h2>
          <p class="instruction">${textAt(view.meta, 'instruction') || '(none in run-meta.json)'}</p>
          ${facts(view)}
        </section>
        <section class="card">
          <h2>Outcome</h2>
          ${outcome(summary)}
          <h2>Evidence</h2>
          <p id="check" data-check="${pageAddress('check', summary.path)}">
            Enable JavaScript to check the evidence against the manifest.
          </p>
          ${attempts(view)}
        </section>
      </div>
      ${renderInterception(view.interception)} ${renderTimeline(view, times)} ${renderRequests(view, times)}
      ${renderMessages(view, times)} ${files(view)}
    </main>`;
  return renderPage(`${summary.task} · ${summary.harness}`, body);
}

function outcome(summary: RunSummary): Html {
  const { result, verdicts } = summary;
  return html`<p>${outcomeBadge(result.outcome)} <b>${result.reason}</b> ${result.message}</p>
    <p>${summary.intercepted ? 'The terminal request was intercepted.' : 'No request was intercepted.'}</p>
    ${
      verdicts.length === 0
        ? html`<p class="dim">The run has no verdict.</p>`
        : html`<table class="verdicts">
            ${verdicts.map(
              (verdict) =>
                html`<tr>
                  <th>${verdict.rubric}</th>
                  <td>${verdictBadge(verdict.match)}</td>
                  <td>${verdict.reason.slice(0, 1000)} <span class="dim">${verdict.model}</span></td>
                </tr>`,
            )}
          </table>`
    }`;
}

function facts(view: RunView): Html {
  const { meta, summary } = view;
  const limit = numberAt(meta, 'time_limit_minutes');
  const rows: readonly (readonly [string, string])[] = [
    ['Started', formatUtc(momentAt(meta, 'clawbench', 'times', 'started'))],
    ['Duration', `${formatDuration(summary.durationSeconds)}${limit === null ? '' : ` of ${limit} min`}`],
    ['Stop reason', labelAt(meta, 'clawbench', 'stop_reason') || labelAt(meta, 'run_metrics', 'stop_reason')],
    ['Upstream category', labelAt(meta, 'result_category')],
    ['Attempt', `${String(summary.attempt ?? '–')}, repetition ${String(summary.repetition ?? '–')}`],
    ['Usage', `${formatCost(summary.costUSD)}, ${String(numberAt(meta, 'usage', 'total_tokens') ?? 0)} tokens`],
    ['Browser', labelAt(meta, 'browser_runtime', 'metadata', 'browser_version')],
    ['Isolation', labelAt(meta, 'clawbench', 'isolation')],
  ];
  return html`<dl>
      ${rows
        .filter(([, value]) => value !== '')
        .map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd>${value}</dd>`,
        )}
    </dl>
    ${notes(view)}`;
}

function notes(view: RunView): Html | null {
  const found = valueAt(view.meta, 'clawbench', 'notes');
  const texts = Array.isArray(found) ? found.filter((note) => typeof note === 'string') : [];
  return texts.length === 0
    ? null
    : html`<ul class="note">
        ${texts.map((note) => html`<li>${note}</li>`)}
      </ul>`;
}

function attempts({ others }: RunView): Html | null {
  if (others.length === 0) return null;
  return html`<p>
    Other attempts: ${others.map((path) => html`<a href="${pageAddress('run', path)}">${path.split('/').at(-1)}</a> `)}
  </p>`;
}

function files(view: RunView): Html {
  const shown = view.files.filter(({ path }) => !path.startsWith('data/screenshots/'));
  const screenshots = view.files.length - shown.length;
  return html`<section>
    <h2>Files</h2>
    <ul class="files">
      ${shown.map(
        ({ path, bytes: size }) =>
          html`<li>
            <a href="${pageAddress('file', inFolder(view.summary.path, path))}">${path}</a>
            <span class="dim">${formatBytes(size)}</span>
          </li>`,
      )}
    </ul>
    <p class="dim">and ${countOf(screenshots, 'screenshot')}</p>
  </section>`;
}
