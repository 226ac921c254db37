import { objectAt, textAt, valueAt, type JsonRecord } from './fields.ts';
import { html, type Html } from './html.ts';
import { textBlock } from './page.ts';
import { pretty, prettyBody } from './format-json.ts';

/** The blocked terminal request, or the reason why there is none. */
export function renderInterception(interception: JsonRecord | null): Html {
  const request = objectAt(interception, 'request');
  return html`<section class="card" id="request">
    <h2>Intercepted request</h2>
    ${interception === null ? html`<p class="note">data/interception.json is missing or unreadable.</p>` : null}
    ${interception !== null && request === null ? noRequest(interception) : null}
    ${request === null ? null : caught(request)} ${target(interception)}
  </section>`;
}

function noRequest(interception: JsonRecord): Html {
  return html`<p>No request was intercepted. ${textAt(interception, 'stop_description')}</p>`;
}

function caught(request: JsonRecord): Html {
  const status = textAt(request, 'body_status');
  const from = textAt(request, 'frame_url');
  return html`<p class="request-line">
      <span class="method">${textAt(request, 'method')}</span> <code>${textAt(request, 'url')}</code>
    </p>
    <p class="dim">
      ${[textAt(request, 'resource_type'), from === '' ? '' : `from ${from}`, status === '' ? '' : `body ${status}`].filter((part) => part !== '').join(' · ')}
    </p>
    ${body(request)} ${details('Query parameters', objectAt(request, 'params'))}
    ${details('Headers', objectAt(request, 'headers'))} ${raw(request)}`;
}

/** The decoded body; JSON is indented. */
function body(request: JsonRecord): Html {
  const value = valueAt(request, 'body');
  return value === null || value === undefined ? html`<p class="dim">No body.</p>` : textBlock(prettyBody(value));
}

function raw(request: JsonRecord): Html | null {
  const text = textAt(request, 'body_raw');
  if (text === '') return null;
  const cut = valueAt(request, 'body_raw_truncated') === true ? ', truncated by the recorder' : '';
  return html`<details>
    <summary>Body as sent (${textAt(request, 'body_raw_encoding')}${cut})</summary>
    ${textBlock(text)}
  </details>`;
}

function details(title: string, value: JsonRecord | null): Html | null {
  if (value === null || Object.keys(value).length === 0) return null;
  return html`<details>
    <summary>${title} (${Object.keys(value).length})</summary>
    ${textBlock(pretty(value))}
  </details>`;
}

function target(interception: JsonRecord | null): Html | null {
  const schema = objectAt(interception, 'schema');
  return schema === null
    ? null
    : html`<details>
        <summary>
          Request that the task expects: ${textAt(schema, 'method')} <code>${textAt(schema, 'url_pattern')}</code>
        </summary>
        ${textBlock(pretty(schema))}
      </details>`;
}
