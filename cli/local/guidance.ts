export interface Guidance {
  readonly instruction: string;
  readonly limitSeconds: number;
  /** Address of the door. */
  readonly cdp: string;
  /** Address of the control API, and so of the answer page. */
  readonly control: string;
  readonly hasHarness: boolean;
  readonly headless: boolean;
}

/** What a person is told once the session is armed: the task, the time, what to do now, how it ends. */
export function guidance({ instruction, limitSeconds, cdp, control, hasHarness, headless }: Guidance): string {
  const address = cdp.replace(/^https?:\/\//, '');
  const drive = [
    `Drive the browser over DevTools at ${cdp}, for example`,
    `  Playwright:  const browser = await chromium.connectOverCDP('${cdp}')`,
    `  Puppeteer:   const browser = await puppeteer.connect({ browserURL: '${cdp}' })`,
    `  by hand:     chrome://inspect in a Chrome on this machine, Configure…, ${address}`,
    headless
      ? 'There is no screen and no video.'
      : 'Its screen is a virtual one: what it shows is in the video afterwards.',
  ];
  return [
    '',
    'Task:',
    ...instruction.split('\n').map((line) => `  ${line}`),
    `Time limit: ${spelt(limitSeconds)}, from now on.`,
    ...(instruction.includes(USUAL) && !control.includes(USUAL)
      ? [`Port 7878 is in use: the answer page of this task is at ${control}/submit, and not where its text says.`]
      : []),
    ...(hasHarness ? ['Your harness has the browser now.'] : drive),
    'It ends when the terminal request is caught, at the time limit, or with Ctrl-C; the evidence is kept each time.',
    '',
  ].join('\n');
}

/** Where research tasks say that the answer page is. */
const USUAL = '127.0.0.1:7878';

function spelt(seconds: number): string {
  const rounded = Math.round(seconds);
  if (rounded % 60 !== 0 || rounded === 0) return `${String(seconds)} seconds`;
  return rounded === 60 ? '1 minute' : `${String(rounded / 60)} minutes`;
}
