import { z } from 'zod';

/**
 * Translates the rows of a reference into steps. A reference is the `actions.jsonl` of a human run, or a short script in
 * the same format with additional rows (`navigate`, `wait`, `file`, and a CSS `selector` instead of an XPath).
 */
const target = z.object({ xpath: z.string().optional(), tagName: z.string().optional(), id: z.string().optional() });
const row = z.object({
  type: z.string(),
  url: z.string().optional(),
  target: target.optional(),
  xpath: z.string().optional(),
  selector: z.string().optional(),
  x: z.number().optional(),
  y: z.number().optional(),
  key: z.string().optional(),
  value: z.string().optional(),
  text: z.string().optional(),
  ms: z.number().optional(),
  scrollX: z.number().optional(),
  scrollY: z.number().optional(),
  /** `file`: name, content (text or base64) and type of the file to choose. */
  name: z.string().optional(),
  content: z.string().optional(),
  contentBase64: z.string().optional(),
  contentType: z.string().optional(),
});
type Row = z.infer<typeof row>;

/** How an element is found; without both, it is the focused one. */
export interface Locator {
  readonly xpath?: string;
  readonly selector?: string;
}

export type ReplayStep =
  | { readonly do: 'navigate'; readonly url: string }
  /** A page that a click is expected to open; navigated to if it does not open. */
  | { readonly do: 'arrive'; readonly url: string }
  | { readonly do: 'click'; readonly at: Locator | { readonly x: number; readonly y: number } }
  | { readonly do: 'fill'; readonly at: Locator; readonly value: string }
  | { readonly do: 'press'; readonly key: string }
  | { readonly do: 'scroll'; readonly x: number; readonly y: number }
  | { readonly do: 'submit'; readonly at: Locator }
  | { readonly do: 'choose'; readonly at: Locator; readonly file: { name: string; base64: string; type: string } }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'waitFor'; readonly at: Locator; readonly ms: number };

const WAIT_FOR_MS = 15_000;

/** The steps of a reference. @throws Error that names the line that cannot be read */
export function planOf(jsonl: string): ReplayStep[] {
  const rows = jsonl
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => parse(line, number));
  const steps: ReplayStep[] = [];
  let arrived = false;
  rows.forEach((one, index) => {
    const step = stepOf(one, rows[index - 1], arrived);
    if (step === null) return;
    arrived ||= step.do === 'navigate';
    steps.push(step);
  });
  return steps;
}

function parse(line: string, number: number): Row {
  try {
    return row.parse(JSON.parse(line));
  } catch {
    throw new Error(`line ${String(number)} of the reference is not an action row`);
  }
}

interface Around {
  readonly before: Row | undefined;
  /** Whether a page has been opened already. */
  readonly arrived: boolean;
}

function stepOf(one: Row, before: Row | undefined, arrived: boolean): ReplayStep | null {
  return STEPS[one.type]?.(one, { before, arrived }) ?? null;
}

/** Rows of other types (keyup, random_click, …) are ignored. */
const STEPS: Readonly<Record<string, (one: Row, around: Around) => ReplayStep | null>> = {
  navigate: ({ url }) => (url === undefined ? null : { do: 'navigate', url }),
  pageLoad: ({ url }, { arrived }) => pageLoad(url ?? '', arrived),
  click,
  input: fill,
  change: fill,
  keydown: press,
  scroll: ({ scrollX, scrollY }) => ({ do: 'scroll', x: scrollX ?? 0, y: scrollY ?? 0 }),
  // In a recording it follows from the click or Enter before it; if it were played, too, the form would be sent twice.
  submit: (one, { before }) =>
    before?.type === 'click' || before?.key === 'Enter' ? null : { do: 'submit', at: locator(one) },
  file: choose,
  wait,
};

function fill(one: Row): ReplayStep | null {
  return one.value === undefined || isToggle(one) ? null : { do: 'fill', at: locator(one), value: one.value };
}

function pageLoad(url: string, arrived: boolean): ReplayStep | null {
  if (!/^https?:/.test(url)) return null;
  return arrived ? { do: 'arrive', url } : { do: 'navigate', url };
}

function click(one: Row): ReplayStep | null {
  const at = locator(one);
  if (at.xpath !== undefined || at.selector !== undefined) return { do: 'click', at };
  return one.x === undefined || one.y === undefined ? null : { do: 'click', at: { x: one.x, y: one.y } };
}

/** A checkbox is changed by its click, not by its `value`. The value of a file input cannot be typed. */
function isToggle(one: Row): boolean {
  return one.target?.tagName?.toUpperCase() === 'INPUT' && /^(on|off|C:\\fakepath\\.*)$/.test(one.value ?? '');
}

/** Characters are in the `input` row with the whole value; only other keys are pressed. */
function press(one: Row): ReplayStep | null {
  return one.key === undefined || [...one.key].length === 1 ? null : { do: 'press', key: one.key };
}

function choose(one: Row): ReplayStep {
  const base64 = one.contentBase64 ?? Buffer.from(one.content ?? '').toString('base64');
  const file = { name: one.name ?? 'file.txt', base64, type: one.contentType ?? 'text/plain' };
  return { do: 'choose', at: locator(one), file };
}

function wait(one: Row): ReplayStep {
  const at = locator(one);
  if (at.xpath === undefined && at.selector === undefined) return { do: 'wait', ms: one.ms ?? 1000 };
  return { do: 'waitFor', at, ms: one.ms ?? WAIT_FOR_MS };
}

function locator(one: Row): Locator {
  const xpath = one.xpath ?? one.target?.xpath;
  return {
    ...(xpath === undefined || xpath === '' ? {} : { xpath }),
    ...(one.selector === undefined ? {} : { selector: one.selector }),
  };
}
