import type CDP from 'chrome-remote-interface';

/** A page that a session shows, and the action in it each second. */
export interface Scene {
  readonly name: string;
  readonly html: string;
  act(client: CDP.Client, second: number): Promise<void>;
}

const WORDS = 'The parcel is weighed, the address is read, and the label is printed twice. ';
const text = (paragraphs: number): string =>
  Array.from({ length: paragraphs }, (_, i) => `<h3>Part ${String(i)}</h3><p>${WORDS.repeat(12)}</p>`).join('');

/**
 * Moves all the time, as a shop's front page does: a ticker across the whole width, a spinner and an image carousel. Drawn
 * on a canvas at a fixed rate, so that the same moves on a slow machine as on a fast one.
 */
const ANIMATED: Scene = {
  name: 'animated',
  html: `<!doctype html><title>Animated</title><style>body{margin:0;font:16px/1.4 sans-serif}canvas{display:block}</style>
<canvas id="c" width="1200" height="420"></canvas>${text(20)}<script>
const c = document.getElementById('c').getContext('2d', { willReadFrequently: true });
const letters = '${WORDS}'.repeat(6);
function draw() {
  const t = performance.now() / 1000;
  c.fillStyle = '#f4f4f0'; c.fillRect(0, 0, 1200, 420);
  for (let i = 0; i < 4; i++) {
    const x = ((t * 120 + i * 330) % 1320) - 300;
    c.fillStyle = ['#2a6f97', '#bc6c25', '#606c38', '#9d4edd'][i]; c.fillRect(x, 60, 300, 260);
    c.fillStyle = '#fff'; c.font = '40px sans-serif'; c.fillText('Offer ' + i, x + 70, 200);
  }
  c.fillStyle = '#222'; c.font = '22px sans-serif'; c.fillText(letters, -((t * 90) % 800), 40);
  c.strokeStyle = '#36c'; c.lineWidth = 8; c.beginPath(); c.arc(600, 370, 28, t * 5, t * 5 + 4); c.stroke();
}
setInterval(draw, 33);
</script>`,
  act: async (client, second) => {
    if (second % 5 === 0) await click(client, 200, 300);
  },
};

/** Read, scrolled now and then, typed into, and otherwise still, as a run looks while the model thinks. */
const READING: Scene = {
  name: 'mostly-still',
  html: `<!doctype html><title>Reading</title><style>body{margin:30px;font:16px/1.5 sans-serif}</style>
<input id="q" style="font-size:20px;width:500px">${text(40)}`,
  act: async (client, second) => {
    const step = second % 15;
    if (step === 0) await client.Runtime.evaluate({ expression: `scrollTo(0, ${String((second * 60) % 4000)})` });
    if (step === 5) await client.Runtime.evaluate({ expression: `scrollTo(0, 0)` });
    if (step === 6) await click(client, 200, 45);
    if (step > 6 && step < 11) await client.Input.insertText({ text: 'lamp ' });
  },
};

export const SCENES: readonly Scene[] = [ANIMATED, READING];

async function click(client: CDP.Client, x: number, y: number): Promise<void> {
  for (const type of ['mousePressed', 'mouseReleased'] as const) {
    await client.Input.dispatchMouseEvent({ type, x, y, button: 'left', clickCount: 1 });
  }
}
