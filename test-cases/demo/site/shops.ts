import { demoPage } from './page.ts';

/** The four sites with a terminal request, one per body type: JSON, urlencoded, multipart, GraphQL. */

const papermill = demoPage(
  'Papermill: notebooks',
  `<p>Meadow, 120 pages, sewn. Also in stock: Harbour and Dune.</p>
<form id="order"><label for="title">Notebook</label><select id="title" name="title"><option>Dune</option><option>Harbour</option><option>Meadow</option></select>
<label for="colour">Colour</label><select id="colour" name="colour"><option>sand</option><option>moss</option><option>ink</option></select>
<label for="quantity">Quantity</label><input id="quantity" name="quantity" type="number" value="1" min="1">
<label for="delivery">Delivery</label><select id="delivery" name="delivery"><option>standard</option><option>express</option></select>
<div><button id="place" type="submit">Place order</button></div></form><p id="note"></p>
<script>document.getElementById('order').addEventListener('submit', async (event) => {
  event.preventDefault();
  const field = (id) => document.getElementById(id).value;
  const order = { title: field('title'), colour: field('colour'), quantity: Number(field('quantity')), delivery: field('delivery') };
  const note = document.getElementById('note');
  try {
    const reply = await fetch('/api/orders', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) });
    note.textContent = reply.ok ? 'Thank you, the order is placed.' : 'The order was refused.';
  } catch { note.textContent = 'The shop could not be reached.'; }
});</script>`,
);

const longtable = demoPage(
  'The Long Table',
  `<p>Open Wednesday to Sunday, 18:00 to 23:00.</p>
<form method="post" action="/book"><label for="name">Name</label><input id="name" name="name">
<label for="guests">Guests</label><input id="guests" name="guests" type="number" value="2" min="1">
<label for="day">Day</label><select id="day" name="day"><option>Wednesday</option><option>Thursday</option><option>Friday</option><option>Saturday</option><option>Sunday</option></select>
<label for="time">Time</label><select id="time" name="time"><option>18:00</option><option>19:30</option><option>21:00</option></select>
<label for="wish">Wishes</label><input id="wish" name="wish">
<div><button id="book" type="submit">Book the table</button></div></form>`,
);

const orchard = demoPage(
  'Orchard Works: open positions',
  `<p>We are looking for a Cider Press Operator and a Beekeeper.</p>
<form method="post" action="/applications" enctype="multipart/form-data"><label for="position">Position</label>
<select id="position" name="position"><option>Beekeeper</option><option>Cider Press Operator</option></select>
<label for="name">Name</label><input id="name" name="name">
<label for="letter">Letter</label><input id="letter" name="letter" type="file">
<div><button id="send" type="submit">Send application</button></div></form>`,
);

const nightreel = demoPage(
  'Nightreel: The Lighthouse Ferry',
  `<p>A film in two halves, 104 minutes. <span id="views"></span></p>
<form id="review"><label for="stars">Stars</label><select id="stars" name="stars"><option>1</option><option>2</option><option>3</option><option>4</option><option>5</option></select>
<label for="text">Your review</label><textarea id="text" name="text" rows="4"></textarea>
<div><button id="publish" type="submit">Publish</button></div></form><p id="note"></p>
<script>const send = (operationName, query, variables) => fetch('/graphql', { method: 'POST',
  headers: { 'content-type': 'application/json' }, body: JSON.stringify({ operationName, query, variables }) });
send('FilmPage', 'query FilmPage { film { views } }', {}).then((reply) => reply.json()).then((reply) => {
  document.getElementById('views').textContent = reply.data.film.views + ' people looked at it today.'; });
document.getElementById('review').addEventListener('submit', (event) => {
  event.preventDefault();
  send('PublishReview', 'mutation PublishReview($stars: Int!, $text: String!) { publish(stars: $stars, text: $text) { id } }',
    { stars: Number(document.getElementById('stars').value), text: document.getElementById('text').value })
    .then(() => { document.getElementById('note').textContent = 'Published.'; })
    .catch(() => { document.getElementById('note').textContent = 'It could not be published.'; });
});</script>`,
);

export const SHOP_PAGES: Readonly<Record<string, string>> = {
  'papermill.demo.test': papermill,
  'longtable.demo.test': longtable,
  'orchard.demo.test': orchard,
  'nightreel.demo.test': nightreel,
};
