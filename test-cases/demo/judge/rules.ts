/**
 * The demo's judge follows rules instead of calling a model, so that the demo costs nothing and its result is known in
 * advance. It reads the same messages a model would: a rule applies when the instruction is in the message, and matches
 * when everything it looks for is there too. It sees only the text that it is sent.
 */
export interface VerdictRule {
  /** A part of the instruction that no other task has. */
  readonly task: string;
  /** Parts that a correct intercepted request contains. Whitespace is ignored. */
  readonly request: readonly string[];
}

export const RULES: readonly VerdictRule[] = [
  {
    task: 'notebook called Meadow',
    request: ['"title":"Meadow"', '"colour":"moss"', '"quantity":2', '"delivery":"standard"'],
  },
  {
    task: 'table at http://longtable.demo.test',
    request: ['"guests":"4"', '"day":"Friday"', '"time":"19:30"', '"name":"AlexGreen"'],
  },
  {
    task: 'position Cider Press Operator',
    request: ['"position":"CiderPressOperator"', '"name":"AlexGreen"', '"filename":'],
  },
  { task: 'film The Lighthouse Ferry', request: ['"stars":4', 'soundtrack'] },
  { task: 'last ferry on a Sunday', request: ['"answer":"21:40frompierC'] },
  { task: 'three bridges', request: ['"answer":"KettleBridge', '310'] },
  { task: 'five orchards of Vale', request: ['"answer":"1284tonnes'] },
  { task: 'two white flashes every 12 seconds', request: ['"answer":"GannetRock', '1874'] },
];

export interface Ruling {
  readonly match: boolean;
  readonly reason: string;
}

/** The verdict on one judge message (system and user text together). */
export function rule(message: string): Ruling {
  const found = RULES.find((one) => message.includes(one.task));
  if (found === undefined) return unknownTask(message);
  const squeezed = squeeze(message);
  const missing = found.request.filter((piece) => !squeezed.includes(squeeze(piece)));
  if (missing.length === 0) return { match: true, reason: 'everything the task asks for is in the request' };
  return { match: false, reason: `the request lacks ${missing.join(', ')}` };
}

/** Imported research tasks have a reference solution, which the demo's `replay` submits word for word. */
function unknownTask(message: string): Ruling {
  const answer = /<<(\w+) ANSWER>>\n([^]*?)\n<<\1 END>>/.exec(message)?.[2];
  if (answer === undefined) return { match: false, reason: 'no rule for this task and no answer to compare' };
  const start = squeeze(answer).slice(0, 40);
  const times = start === '' ? 0 : squeeze(message).split(start).length - 1;
  const match = times > 1;
  return { match, reason: match ? 'the answer begins as the reference does' : 'the answer is not the reference' };
}

/** Whitespace is ignored. */
export function squeeze(text: string): string {
  return text.replaceAll('\\n', '').replaceAll(/\s+/g, '');
}
