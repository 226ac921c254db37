/**
 * HTML by tagged template: all values are escaped, except HTML made by this function. It is marked by a symbol, which JSON
 * cannot contain, so an untrusted object that imitates it is text. Attributes are always in double quotes, and no
 * untrusted text becomes a link, a style or a script.
 */
const MARKUP = Symbol('markup');

export interface Html {
  readonly [MARKUP]: string;
}

export type HtmlValue = Html | string | number | bigint | null | undefined | false | readonly HtmlValue[];

/** `html\`<td>${anything}</td>\``; null, undefined and false give no text, arrays are joined. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const body = parts.map((part, index) => part + written(values[index])).join('');
  return { [MARKUP]: body };
}

/** The HTML as text. */
export function render(markup: Html): string {
  return markup[MARKUP];
}

function written(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'object') return MARKUP in value ? value[MARKUP] : value.map(written).join('');
  return escapeHtml(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Escapes text for HTML text and quoted attributes. Invisible characters and those that change the direction of text are shown as `\uXXXX`, since they can make a text look like another one. */
export function escapeHtml(text: string): string {
  return text
    .replace(UNSEEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '');
}
