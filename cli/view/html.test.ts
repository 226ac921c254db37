import { expect, it } from 'vitest';
import { escapeHtml, html, render, type HtmlValue } from './html.ts';

it('escapes values, but not the template', () => {
  const inner = html`<b>${'<i>"&\''}</b>`;
  expect(render(html`<p title="${'"'}">${inner}${[1, null, false, undefined, 2n]}</p>`)).toBe(
    '<p title="&quot;"><b>&lt;i&gt;&quot;&amp;&#39;</b>12</p>',
  );
});

it('does not treat JSON as HTML', () => {
  const forged = JSON.parse('{"markup":"<script>","Symbol(markup)":"<script>"}') as HtmlValue;
  expect(() => render(html`${forged}`)).toThrow(TypeError);
});

it('shows invisible characters and those that change the text direction', () => {
  expect(escapeHtml('a\u202egnp.exe\u0000\n\t')).toBe('a\\u202egnp.exe\\u0000\n\t');
});
