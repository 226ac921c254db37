export interface Guidance {
  readonly instruction: string;
  readonly limitSeconds: number;
  /** URL of the DevTools proxy. */
  readonly cdp: string;
  /** URL of the control API and the answer page. */
  readonly control: string;
  readonly hasHarness: boolean;
  readonly headless: boolean;
}

/** The instructions that are printed once the session is armed: the task, the time limit, what to do, how it ends. */
export function guidance({ instruction, limitSeconds, cdp, control, hasHarness, headless }: Guidance): string {
  const address = cdp.replace(/^https?:\/\//, '');
  const drive = [
    `Drive the browser with DevTools at ${cdp}, for example:`,
    `  Playwright:  const browser = await chromium.connectOverCDP('${cdp}')`,
    `  Puppeteer:   const browser = await puppeteer.connect({ browserURL: '${cdp}' })`,
    `  Chrome:      open chrome://inspect on this machine, click Configure… and add ${address}`,
    headless
      ? 'The browser is headless, so there is no video.'
      : 'The browser runs on a virtual screen; the video of the bundle shows it.',
  ];
  return [
    '',
    'Task:',
    ...instruction.split('\n').map((line) => `  ${line}`),
    `Time limit: ${spelt(limitSeconds)} from now.`,
    ...(instruction.includes(USUAL) && !control.includes(USUAL)
      ? [`Port 7878 is in use, so the answer page is at ${control}/submit instead of the address in the task.`]
      : []),
    ...(hasHarness ? ['Your harness is driving the browser.'] : drive),
    'The session ends when the terminal request is intercepted, at the time limit, or when you press Ctrl-C.',
    'The evidence is kept in each case.',
    '',
  ].join('\n');
}

/** Address of the answer page in the text of research tasks. */
const USUAL = '127.0.0.1:7878';

function spelt(seconds: number): string {
  const rounded = Math.round(seconds);
  if (rounded % 60 !== 0 || rounded === 0) return `${String(seconds)} seconds`;
  return rounded === 60 ? '1 minute' : `${String(rounded / 60)} minutes`;
}
