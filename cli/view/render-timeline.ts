import { sinceStart, secondsAt, type RunTimes } from './run-times.ts';
import { shorten } from './fields.ts';
import { html, type Html } from './html.ts';
import { inFolder } from './find-runs.ts';
import { pageAddress } from './page.ts';
import { rowsNote } from './render-requests-and-messages.ts';
import type { RunView } from './run-view.ts';
import { timelineActions, type TimelineAction } from './timeline-actions.ts';

/** Video, screenshot and list of actions side by side, below a strip with the times of all actions and requests. */
export function renderTimeline(view: RunView, times: RunTimes): Html {
  const names = view.files.map((file) => /^data\/screenshots\/(\d+\.png)$/.exec(file.path)?.[1]);
  const steps = timelineActions(view.actions.rows, new Set(names.filter((name) => name !== undefined)));
  return html`<section id="timeline">
    <h2>Timeline</h2>
    ${strip(view, times, steps)}
    <div class="stage">
      <div class="screens">
        ${video(view, times)}
        <figure>
          <img id="shot" alt="Screenshot of the selected action" hidden />
          <figcaption id="shot-text" class="dim">Select an action to see its screenshot.</figcaption>
        </figure>
      </div>
      <div>
        <ol class="steps">
          ${steps.map((step) => stepItem(view, times, step))}
        </ol>
        ${rowsNote(view.actions, pageAddress('file', inFolder(view.summary.path, 'data/actions.jsonl')))}
      </div>
    </div>
  </section>`;
}

function video(view: RunView, times: RunTimes): Html {
  const file = view.files.find(({ path }) => path === 'data/recording.mp4');
  if (file === undefined || file.bytes === 0) return html`<p class="note">There is no recording.</p>`;
  const source = pageAddress('file', inFolder(view.summary.path, file.path));
  const known = times.recordingStart !== null;
  return html`<video
      id="video"
      controls
      preload="metadata"
      src="${source}"
      data-start="${times.recordingStart}"
      data-end="${times.recordingEnd}"
    ></video>
    ${!known && html`<p class="dim">The start of the video is unknown, so video and actions are aligned only to within about two seconds.</p>`}`;
}

function stepItem(view: RunView, times: RunTimes, step: TimelineAction): Html {
  const source =
    step.screenshot === null
      ? ''
      : pageAddress('file', inFolder(view.summary.path, `data/screenshots/${step.screenshot}`));
  const caption = step.own
    ? `${step.type} ${step.what}`
    : `${step.type} ${step.what} (last screenshot before this action)`;
  return html`<li>
    <button class="step" data-at="${step.at}" data-shot="${source}" data-text="${shorten(caption, 300)}">
      <span class="when">${sinceStart(times, step.at)}</span>
      <span class="what"
        ><b class="type">${step.type}</b> ${shorten(step.what, 300)}<span class="url"
          >${shorten(step.url, 300)}</span
        ></span
      >
      ${step.own && html`<img class="thumb" loading="lazy" alt="" src="${source}" />`}
    </button>
  </li> `;
}

const WIDTH = 1000;

/** Actions at the top, requests at the bottom, the interception across both. Positions are attributes, since the policy allows no inline style. */
function strip(view: RunView, times: RunTimes, steps: readonly TimelineAction[]): Html | null {
  const requests = view.requests.rows.map(secondsAt).filter((at) => at !== null);
  const actions = steps.map((step) => step.at).filter((at) => at !== null);
  const all = [...requests, ...actions, times.start, times.recordingEnd, times.intercepted].filter((at) => at !== null);
  if (all.length < 2) return null;
  const first = all.reduce((a, b) => Math.min(a, b));
  const last = all.reduce((a, b) => Math.max(a, b));
  const x = (at: number): string => ((WIDTH * (at - first)) / Math.max(1, last - first)).toFixed(1);
  const marks = (moments: readonly number[], kind: string, y: number): readonly Html[] =>
    moments.map((at) => html`<rect class="${kind}" x="${x(at)}" y="${y}" width="2" height="14" data-at="${at}" />`);
  return html`<svg
      class="strip"
      viewBox="0 0 ${WIDTH + 4} 40"
      preserveAspectRatio="none"
      role="img"
      aria-label="Times of actions and requests"
    >
      ${times.start !== null && html`<rect class="zero" x="${x(times.start)}" y="0" width="1" height="40" />`}
      ${marks(actions, 'action', 4)}${marks(requests, 'sent', 22)}
      ${times.intercepted !== null && html`<rect class="caught" x="${x(times.intercepted)}" y="0" width="3" height="40" data-at="${times.intercepted}" />`}
      <rect id="now" x="0" y="0" width="1" height="40" data-first="${first}" data-last="${last}" visibility="hidden" />
    </svg>
    <p class="legend">
      <span>${sinceStart(times, first)}</span
      ><span
        ><i class="action"></i>action <i class="sent"></i>request <i class="caught"></i>intercepted
        <i class="zero"></i>agent started</span
      ><span>${sinceStart(times, last)}</span>
    </p>`;
}
