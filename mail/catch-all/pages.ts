import type { StoredMail } from './mailboxes.ts';

/** The web inbox: plain pages without scripts that people and the page snapshots of agents can read. */

/** Escapes text for HTML text and attributes. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>
body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.5rem;border-bottom:1px solid #d5d9de}
label{display:block;margin:.75rem 0}input{font:inherit;padding:.4rem;width:20rem;max-width:100%}button{font:inherit;padding:.4rem 1rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}a{overflow-wrap:anywhere}.error{color:#a40000}
</style></head><body>${body}</body></html>`;
}

export function loginPage(failed: boolean): string {
  const error = failed ? '<p class="error" role="alert">The address or password is incorrect.</p>' : '';
  return page(
    'Sign in - Mail',
    `<h1>Mail</h1>${error}<form method="post" action="/login">
<label>Email address <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button type="submit">Sign in</button></form>`,
  );
}

export function inboxPage(address: string, mails: readonly StoredMail[]): string {
  const rows = mails.map(
    (mail) =>
      `<tr><td>${escaped(mail.from)}</td><td><a href="/mail/${String(mail.id)}">${escaped(mail.subject)}</a></td><td>${moment(mail.at)}</td></tr>`,
  );
  const list =
    rows.length === 0
      ? '<p>There is no mail yet. Reload this page to check again.</p>'
      : `<table><thead><tr><th>From</th><th>Subject</th><th>Received</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  return page(
    'Inbox - Mail',
    `<h1>Inbox</h1><p>${escaped(address)} · <a href="/inbox">Reload</a> · <a href="/logout">Sign out</a></p>${list}`,
  );
}

export function mailPage(mail: StoredMail): string {
  const links = mail.links.map(
    (link) => `<li><a href="${escaped(link)}" rel="noreferrer noopener">${escaped(link)}</a></li>`,
  );
  return page(
    `${mail.subject} - Mail`,
    `<p><a href="/inbox">Back to the inbox</a></p><h1>${escaped(mail.subject)}</h1><p>From ${escaped(mail.from)}, ${moment(mail.at)}</p>
<pre>${escaped(mail.text)}</pre>${links.length === 0 ? '' : `<h2>Links in this mail</h2><ul>${links.join('')}</ul>`}`,
  );
}

function moment(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
