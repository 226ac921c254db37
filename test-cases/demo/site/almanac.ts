import { demoPage } from './page.ts';

/** The source for the four research questions. All facts on it are invented. */

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table><tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</table>`;

export const ALMANAC_PAGES: Readonly<Record<string, string>> = {
  '/': demoPage(
    'The Almanac',
    `<ul><li><a id="ferry" href="/ferry">Ferry of Sandholm</a></li><li><a id="bridges" href="/bridges">Three bridges</a></li>
<li><a id="harvest" href="/harvest">Harvest of Vale</a></li><li><a id="signals" href="/signals">Lighthouse signals</a></li></ul>`,
  ),
  '/ferry': demoPage(
    'Ferry of Sandholm',
    table(
      ['Day', 'First', 'Last', 'Pier of the last ferry'],
      [
        ['Monday to Friday', '06:10', '22:50', 'A'],
        ['Saturday', '07:00', '23:30', 'B'],
        ['Sunday', '08:20', '21:40', 'C'],
      ],
    ),
  ),
  '/bridges': demoPage(
    'Three bridges',
    '<p>Kettle Bridge spans 742 metres. Marten Bridge spans 585 metres. Old Toll Bridge, the shortest, spans 432 metres.</p>',
  ),
  '/harvest': demoPage(
    'Harvest of Vale',
    table(
      ['Orchard', 'Tonnes'],
      [
        ['Upper', '318'],
        ['Mill', '207'],
        ['Abbey', '264'],
        ['South', '351'],
        ['Ridge', '144'],
      ],
    ),
  ),
  '/signals': demoPage(
    'Lighthouse signals',
    table(
      ['Lighthouse', 'Signal', 'First lit'],
      [
        ['Cold Point', 'one white flash every 12 seconds', '1881'],
        ['Gannet Rock', 'two white flashes every 12 seconds', '1874'],
        ['Skerry', 'two red flashes every 12 seconds', '1902'],
      ],
    ),
  ),
};
