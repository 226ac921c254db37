import type { ChannelDriver } from './channel-driver.ts';
import { q, type Channel } from './channel.ts';

/** Forms, in each encoding and into each place that they can be submitted to. */
const commit = { method: 'POST', matched: 'intercepted' } as const;
const ENCODED = 'a=%C3%A9+%261';

interface FormOptions {
  readonly enctype?: string;
  /** Statements between the creation of the form and its submission; `f` is the form. */
  readonly before?: string;
}

function form(url: string, { enctype = 'application/x-www-form-urlencoded', before = '' }: FormOptions = {}): string {
  return `{ const f = document.createElement('form'); f.method = 'POST'; f.action = ${q(url)}; f.enctype = ${q(enctype)};
    const i = document.createElement('input'); i.name = 'a'; i.value = 'é &1'; f.append(i); document.body.append(f); ${before}; f.submit(); 1 }`;
}

export const FORMS: readonly Channel[] = [
  { ...commit, name: 'urlencoded form', body: ENCODED, script: (url) => form(url) },
  { ...commit, name: 'multipart form', script: (url) => form(url, { enctype: 'multipart/form-data' }) },
  {
    ...commit,
    name: 'multipart form with a file of the page',
    script: (url) =>
      form(url, {
        enctype: 'multipart/form-data',
        before: `const t = new DataTransfer(); t.items.add(new File([new Uint8Array([0, 255, 10])], 'own.bin'));
          const u = document.createElement('input'); u.type = 'file'; u.name = 'f'; u.files = t.files; f.append(u)`,
      }),
  },
  {
    ...commit,
    name: 'text/plain form',
    body: Buffer.from('a=é &1\r\n').toString('latin1'),
    script: (url) => form(url, { enctype: 'text/plain' }),
  },
  {
    ...commit,
    name: 'form into a new window',
    body: ENCODED,
    script: (url) => form(url, { before: "f.target = '_blank'" }),
  },
  {
    ...commit,
    name: 'form into a new window without an opener',
    body: ENCODED,
    script: (url) => form(url, { before: "f.target = '_blank'; f.rel = 'noopener'" }),
  },
  {
    ...commit,
    name: 'window.open, then a form into it',
    body: ENCODED,
    script: (url) => `window.open('about:blank', 'pop'); ${form(url, { before: "f.target = 'pop'" })}`,
  },
  {
    ...commit,
    name: 'form inside an opened window',
    body: ENCODED,
    script: (url) => `{ const w = window.open('about:blank'); w.eval(${q(form(url))}); 1 }`,
  },
  {
    ...commit,
    name: 'form into a frame',
    body: ENCODED,
    script: (url) =>
      form(url, {
        before: "const t = document.createElement('iframe'); t.name = 'in'; document.body.append(t); f.target = 'in'",
      }),
  },
  {
    ...commit,
    name: "a button's own action",
    body: ENCODED,
    script: (url) =>
      `{ document.body.innerHTML = '<form method=POST action=/elsewhere><input name=a value="é &amp;1"><button>x</button></form>';
        const b = document.querySelector('button'); b.formAction = ${q(url)}; b.click(); 1 }`,
  },
  {
    ...commit,
    name: 'form through a 307 redirect',
    body: ENCODED,
    script: (url, where) => form(`${where.other}/307?${encodeURIComponent(url)}`),
  },
  {
    ...commit,
    name: 'form of a PDF',
    drive: async (driver: ChannelDriver, url: string): Promise<void> => {
      await driver.navigate(`${driver.site.shop}/form.pdf?${encodeURIComponent(url)}`);
      // The viewer loads a hundred small files before it reacts to clicks.
      for (let tries = 0; tries < 4; tries += 1) {
        await driver.pause(700);
        await driver.click(530, 350);
      }
    },
  },
];
