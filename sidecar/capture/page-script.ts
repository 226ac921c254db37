/**
 * The script that runs in every document. It listens and reports, and changes nothing that the page can see. It runs in
 * an isolated world with the only copy of the binding, so page script can neither call nor replace the binding, and the
 * isolated world's `Date`, `JSON` and prototypes are out of the page's reach. Listeners are on `window` in the capture
 * phase and are added before the page's first script, so `stopImmediatePropagation` cannot hide an action.
 *
 * Text is limited here as well as in `benchmark/bundle/action-row.ts`: `textContent` of a large page would be megabytes per
 * click. Password fields are masked, also a field that was one before ("show password"); upstream records them in clear.
 */
export function pageScript(binding: string): string {
  return `(${SCRIPT})(${JSON.stringify(binding)});`;
}

const SCRIPT = String.raw`function (binding) {
  'use strict';
  const report = globalThis[binding];
  if (typeof report !== 'function' || globalThis.__document === document) return;
  globalThis.__document = document;

  const TYPES = ['click', 'keydown', 'keyup', 'input', 'scroll', 'change', 'submit'];
  const THROTTLED = { scroll: -Infinity, input: -Infinity };
  const GAP_MS = 500;
  const MASK = '\u2022';
  const passwords = new WeakSet();

  // A form's controls hide its own properties (<input name="tagName">); only the prototypes' getters are reliable.
  const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const tagNameOf = getter(Element, 'tagName');
  const parentOf = getter(Node, 'parentNode');
  const previousOf = getter(Element, 'previousElementSibling');
  const attributeOf = Element.prototype.getAttribute;
  const text = (value, cap) => (typeof value === 'string' ? value.slice(0, cap) : '');
  const attribute = (node, name) => text(attributeOf.call(node, name), 500);

  function xpath(element) {
    const steps = [];
    for (let node = element; node instanceof Element && steps.length < 200; node = parentOf.call(node)) {
      const name = tagNameOf.call(node);
      let index = 1;
      for (let other = previousOf.call(node); other && index < 10000; other = previousOf.call(other))
        if (tagNameOf.call(other) === name) index += 1;
      steps.unshift(name.toLowerCase() + '[' + index + ']');
    }
    return '/' + steps.join('/');
  }

  function content(element) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let found = '';
    for (let seen = 0; seen < 1000 && found.length < 100 && walker.nextNode(); seen += 1)
      found += walker.currentNode.data.slice(0, 100);
    return found.slice(0, 100);
  }

  function describe(target) {
    if (!(target instanceof Element)) return { tagName: '', id: '', className: '', textContent: '', xpath: '' };
    return {
      tagName: text(tagNameOf.call(target), 100),
      id: attribute(target, 'id'),
      className: attribute(target, 'class'),
      textContent: content(target),
      xpath: xpath(target),
    };
  }

  function isPassword(target) {
    if (!(target instanceof HTMLInputElement)) return false;
    const hint = attribute(target, 'autocomplete');
    if (target.type === 'password' || /password/i.test(hint)) passwords.add(target);
    return passwords.has(target);
  }

  function details(event, target) {
    const row = {};
    const secret = isPassword(target);
    if (typeof event.clientX === 'number') [row.x, row.y] = [event.clientX, event.clientY];
    if (typeof event.key === 'string' && event.key !== '')
      row.key = secret && event.key.length === 1 ? MASK : text(event.key, 64);
    const value = target instanceof Element && !(target instanceof HTMLFormElement) ? target.value : undefined;
    if (value !== undefined && value !== null) row.value = secret ? MASK.repeat(8) : String(value).slice(0, 200);
    if (event.type === 'scroll') {
      row.scrollX = target instanceof Element ? target.scrollLeft : window.scrollX;
      row.scrollY = target instanceof Element ? target.scrollTop : window.scrollY;
    }
    return row;
  }

  function send(row) {
    row.hidden = document.visibilityState === 'hidden';
    report(JSON.stringify(row));
  }

  function onEvent(event) {
    try {
      const now = Date.now();
      if (event.type in THROTTLED) {
        if (now - THROTTLED[event.type] < GAP_MS) return;
        THROTTLED[event.type] = now;
      }
      const target = event.target;
      const base = { type: event.type, timestamp: now, url: text(location.href, 4096), target: describe(target) };
      send({ ...base, ...details(event, target) });
    } catch {
      // The document is being unloaded: the action's row is lost, the page is not disturbed.
    }
  }

  function loaded() {
    send({ type: 'pageLoad', timestamp: Date.now(), url: text(location.href, 4096), title: text(document.title, 500) });
  }

  // document.open() removes every listener without a new document; adding one again has no effect.
  function listen() {
    for (const type of TYPES) window.addEventListener(type, onEvent, { capture: true, passive: true });
  }

  listen();
  new MutationObserver(listen).observe(document, { childList: true });
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', loaded, { once: true });
  else setTimeout(loaded, 0);
}`;
