import { html, render, type HtmlValue, type Html } from './html.ts';

/** A whole page. Style and script are separate files, since the policy of `server.ts` allows neither inside a page. */
export function renderPage(title: string, body: HtmlValue): string {
  return render(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title}</title>
          <link rel="icon" href="/icon.svg" />
          <link rel="stylesheet" href="/style.css" />
          <script src="/app.js" defer></script>
        </head>
        <body>
          ${body}
        </body>
      </html> `,
  );
}

/** A page with a message. */
export function messagePage(title: string, sentence: string): string {
  return renderPage(
    title,
    html`<header class="top"><a href="/">All runs</a></header>
      <main>
        <h1>${title}</h1>
        <p>${sentence}</p>
      </main>`,
  );
}

/** URL path of the page of a run or of a file; each name is encoded separately. */
export function pageAddress(kind: 'run' | 'file' | 'check', path: string): string {
  return `/${kind}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

const TONES: Readonly<Record<string, string>> = {
  Passed: 'good',
  Failed: 'bad',
  TimedOut: 'bad',
  InterceptionEscape: 'bad',
  JudgePending: 'wait',
};

/** An outcome as a coloured word; Infrastructure and unknown outcomes are grey. */
export function outcomeBadge(outcome: string): Html {
  const tone = Object.hasOwn(TONES, outcome) ? (TONES[outcome] ?? 'none') : 'none';
  return html`<span class="badge ${tone}">${outcome}</span>`;
}

/** A verdict as a word; null if the judge gave no usable answer, undefined if there is none. */
export function verdictBadge(match: boolean | null | undefined): Html {
  if (match === undefined) return html`<span class="dim">–</span>`;
  if (match === null) return html`<span class="badge wait">no verdict</span>`;
  return match ? html`<span class="badge good">match</span>` : html`<span class="badge bad">mismatch</span>`;
}

/** Text in a block, cut after `cap` characters. */
export function textBlock(text: string, cap = 20_000): Html {
  const rest = text.length - cap;
  if (rest <= 0) return html`<pre>${text}</pre>`;
  return html`<pre>${text.slice(0, cap)}</pre>
    <p class="note">${rest} more characters are not shown here, but are in the file.</p>`;
}
