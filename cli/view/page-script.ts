/**
 * `/app.js`, the only script. It reads numbers and URLs from attributes of the page and writes only text, so no untrusted
 * string can become HTML. It is plain JavaScript, since it is served as it is.
 */
export const PAGE_SCRIPT = String.raw`'use strict';
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);

  for (const select of all('.filter select')) select.addEventListener('change', () => select.form.submit());

  const video = byId('video');
  const shot = byId('shot');
  const now = byId('now');
  const steps = all('.step');
  const momentOf = (node) => (node.dataset.at ? Number(node.dataset.at) : NaN);
  // Start of the video as the recorder wrote it, or calculated from its end.
  const known = (name) => (video && video.dataset[name] ? Number(video.dataset[name]) : NaN);
  const videoStart = () => (Number.isNaN(known('start')) ? known('end') - video.duration * 1000 : known('start'));

  const seek = (at) => {
    if (!video || Number.isNaN(at)) return;
    const move = () => {
      const second = (at - videoStart()) / 1000;
      if (!Number.isFinite(video.duration) || !Number.isFinite(second)) return;
      video.currentTime = Math.min(video.duration, Math.max(0, second));
    };
    if (video.readyState >= 1) move();
    else video.addEventListener('loadedmetadata', move, { once: true });
  };

  const choose = (step) => {
    for (const other of steps) other.classList.toggle('chosen', other === step);
    if (step.dataset.shot) {
      shot.src = step.dataset.shot;
      shot.hidden = false;
    }
    byId('shot-text').textContent = step.dataset.shot ? step.dataset.text : 'There is no screenshot before this action.';
  };

  // Scrolls only the list; scrollIntoView would scroll the page, too.
  const reveal = (step) => {
    const list = step.closest('.steps');
    const [top, bottom] = [step.offsetTop - list.offsetTop, step.offsetTop - list.offsetTop + step.offsetHeight];
    if (top < list.scrollTop) list.scrollTop = top;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  };

  const lastBefore = (at) => steps.filter((step) => momentOf(step) <= at).at(-1);

  document.addEventListener('click', (event) => {
    const marked = event.target.closest('[data-at]');
    if (!marked) return;
    const at = momentOf(marked);
    seek(at);
    const step = marked.classList.contains('step') ? marked : lastBefore(at);
    if (step) {
      choose(step);
      reveal(step);
    }
  });

  document.addEventListener('keydown', (event) => {
    const index = steps.indexOf(document.activeElement);
    const next = steps[index + ({ ArrowDown: 1, ArrowUp: -1 })[event.key]];
    if (index < 0 || !next) return;
    event.preventDefault();
    next.focus();
    next.click();
  });

  if (video) {
    video.addEventListener('timeupdate', () => {
      const at = videoStart() + video.currentTime * 1000;
      const playing = lastBefore(at);
      for (const step of steps) step.classList.toggle('playing', step === playing);
      if (!now || Number.isNaN(at)) return;
      const [first, last] = [Number(now.dataset.first), Number(now.dataset.last)];
      const place = (1000 * (at - first)) / Math.max(1, last - first);
      now.setAttribute('x', String(Math.min(1000, Math.max(0, place))));
      now.setAttribute('visibility', 'visible');
    });
  }

  const firstShot = steps.find((step) => step.dataset.shot);
  if (firstShot) choose(firstShot);
  if (steps.length > 0) seek(momentOf(steps[0]));

  const check = byId('check');
  const line = (text, kind) => {
    const node = document.createElement('p');
    node.textContent = text;
    node.className = kind;
    check.append(node);
  };
  const report = (result) => {
    check.textContent = '';
    const size = (result.bytes / 1e6).toFixed(1) + ' MB';
    if (result.ok) line('The evidence matches the manifest: ' + result.files + ' files, ' + size + ', all SHA-256 hashes correct.', 'ok');
    else line('The evidence is incomplete or does not match the manifest.', 'broken');
    for (const problem of result.problems) line(problem, 'note');
    if (result.sha256) line('SHA-256 of manifest.json: ' + result.sha256, 'note');
  };
  if (check) {
    check.textContent = 'Checking all files against the manifest…';
    fetch(check.dataset.check)
      .then((response) => response.json())
      .then(report)
      .catch((error) => {
        check.textContent = 'The check failed: ' + error.message;
      });
  }
})();
`;
