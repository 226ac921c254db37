import { RULES, rule, squeeze, type Ruling } from './rules.ts';

/**
 * A rule-based agentic judge: it looks up what a model would (the reference session, the intercepted request, the steps) and
 * applies its rules to that. For a session without an intercepted request it checks in the steps whether the agent typed
 * what the task asks for.
 */

const LOOK_UPS = [
  { tool: 'read_interception', args: { side: 'agent' } },
  { tool: 'list_steps', args: { side: 'agent' } },
];

/** Whether the prompt offers tools. */
export function offersTools(system: string): boolean {
  return system.includes('see_screenshot');
}

/**
 * The next reply of the evaluation: a tool call or the verdict.
 * @param messages the user messages so far, the opening first.
 */
export function nextReply(messages: readonly string[]): unknown {
  const [opening = '', , request = '', steps = ''] = messages;
  if (messages.length === 1) {
    const compare = opening.includes("The person's session");
    return compare ? { tool: 'compare_steps', args: {} } : { tool: 'list_steps', args: { side: 'agent' } };
  }
  return LOOK_UPS[messages.length - 2] ?? verdict(opening, request, steps);
}

function verdict(opening: string, request: string, steps: string): object {
  if (!request.includes('nothing was intercepted')) {
    return { ...rule(`${opening}\n${request}`), evidence: [cited('interception', 0)] };
  }
  const last = [...steps.matchAll(/^(\d+): /gm)].at(-1)?.[1];
  return { ...ruleOnSteps(opening, steps), evidence: last === undefined ? [] : [cited('step', Number(last))] };
}

function cited(kind: string, index: number): object {
  return { side: 'agent', kind, index, shows: 'what the rule looks at' };
}

function ruleOnSteps(opening: string, steps: string): Ruling {
  const found = RULES.find((one) => opening.includes(one.task));
  const values = (found?.request ?? []).map((piece) => piece.replace(/^"\w+":/, '').replaceAll('"', ''));
  const squeezed = squeeze(steps);
  const missing = values.filter((value) => !squeezed.includes(value));
  if (values.length > 0 && missing.length === 0) return { match: true, reason: 'what the task asks for was typed' };
  return { match: false, reason: `the steps lack ${missing.join(', ') || 'a rule'}` };
}
