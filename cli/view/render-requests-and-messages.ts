import { secondsAt, sinceStart, type RunTimes } from './run-times.ts';
import { labelAt, momentAt, shorten, textAt, valueAt, type JsonRecord } from './fields.ts';
import { inFolder } from './find-runs.ts';
import { html, type Html } from './html.ts';
import { messageText } from './message-text.ts';
import { pageAddress, textBlock } from './page.ts';
import { compact, pretty, prettyBody } from './format-json.ts';
import type { JsonlPreview } from './jsonl.ts';
import type { RunView } from './run-view.ts';
import { formatBytes } from './format-units.ts';

/** Maximum number of characters of a row that a page shows. */
const ROW_CAP = 6000;

/** A note about rows that are not shown, with a link to the file. */
export function rowsNote(rows: JsonlPreview, source: string): Html {
  if (rows.bytes === null) return html`<p class="note">The file is missing.</p>`;
  const cut = rows.cut && html`Only the first ${rows.rows.length} rows are shown. `;
  const bad = rows.bad > 0 && html`${rows.bad} lines are not JSON objects. `;
  return html`<p class="note">${cut}${bad}<a href="${source}">Open the file</a> (${formatBytes(rows.bytes)})</p>`;
}

/** The requests as recorded by the guard. */
export function renderRequests(view: RunView, times: RunTimes): Html {
  const { rows } = view.requests;
  return html`<section>
    <h2>Requests <span class="dim">${rows.length}${view.requests.cut && '+'}</span></h2>
    ${
      rows.length > 0 &&
      html`<table class="requests">
        <thead>
          <tr>
            <th>Time</th>
            <th>Method</th>
            <th>Type</th>
            <th>URL</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => requestRow(row, times))}
        </tbody>
      </table>`
    }
    ${rowsNote(view.requests, pageAddress('file', inFolder(view.summary.path, 'data/requests.jsonl')))}
  </section>`;
}

function requestRow(row: JsonRecord, times: RunTimes): Html {
  const at = secondsAt(row);
  const body = valueAt(row, 'body');
  const headers = pretty(valueAt(row, 'headers') ?? {});
  const url = textAt(row, 'url');
  return html`<tr>
    <td class="when" data-at="${at}">${sinceStart(times, at)}</td>
    <td class="method">${labelAt(row, 'method')}</td>
    <td>${labelAt(row, 'resource_type')}</td>
    <td>
      <details>
        <summary>
          <code>${shorten(url, 300)}</code
          >${body !== null && body !== undefined && html` <span class="badge none">body</span>`}
        </summary>
        ${url.length > 300 && textBlock(url, ROW_CAP)}${body !== null && body !== undefined && textBlock(prettyBody(body), ROW_CAP)}${textBlock(headers, ROW_CAP)}
      </details>
    </td>
  </tr> `;
}

/** The transcript of the harness. Its form depends on the harness, so each row can also be shown as JSON. */
export function renderMessages(view: RunView, times: RunTimes): Html {
  const { rows } = view.messages;
  return html`<section>
    <h2>Agent messages <span class="dim">${rows.length}${view.messages.cut && '+'}</span></h2>
    <ol class="messages">
      ${rows.map((row) => message(row, times))}
    </ol>
    ${rowsNote(view.messages, pageAddress('file', inFolder(view.summary.path, 'data/agent-messages.jsonl')))}
  </section>`;
}

function message(row: JsonRecord, times: RunTimes): Html {
  const text = messageText(row) || compact(valueAt(row, 'message') ?? row);
  const role = labelAt(row, 'message', 'role') || labelAt(row, 'role') || labelAt(row, 'type') || 'row';
  return html`<li>
    <p><b>${role}</b> <span class="when">${sinceStart(times, momentAt(row, 'timestamp'))}</span></p>
    ${textBlock(text, ROW_CAP)}
    <details>
      <summary>JSON</summary>
      ${textBlock(pretty(row), ROW_CAP)}
    </details>
  </li> `;
}
