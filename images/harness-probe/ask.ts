import { setTimeout as sleep } from 'node:timers/promises';

/** A minimal client that sends one prompt with any of the four model APIs. */

export interface ModelAccess {
  readonly baseUrl: string;
  readonly apiType: string;
  readonly apiKey: string;
  readonly model: string;
  /** Only used with the API `openai-completions`. */
  readonly stream: boolean;
}

/** The provider, or the gateway on its behalf, refused the call permanently. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, text: string) {
    super(`${String(status)} ${text.slice(0, 2000)}`);
    this.status = status;
  }
}

interface Shape {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  readonly text: (answer: never) => string;
}

const SHAPES: Readonly<Record<string, (access: ModelAccess, prompt: string) => Shape>> = {
  'openai-completions': ({ model, apiKey, stream }, content) => ({
    path: '/chat/completions',
    headers: { authorization: `Bearer ${apiKey}` },
    body: { model, messages: [{ role: 'user', content }], ...(stream ? { stream } : {}) },
    text: (answer: { choices: [{ message: { content: string } }] }) => answer.choices[0].message.content,
  }),
  'openai-responses': ({ model, apiKey }, input) => ({
    path: '/responses',
    headers: { authorization: `Bearer ${apiKey}` },
    body: { model, input },
    text: (answer: { output: [{ content: [{ text: string }] }] }) => answer.output[0].content[0].text,
  }),
  'anthropic-messages': ({ model, apiKey }, content) => ({
    path: '/v1/messages',
    headers: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' },
    body: { model, max_tokens: 100, messages: [{ role: 'user', content }] },
    text: (answer: { content: [{ text: string }] }) => answer.content[0].text,
  }),
  'google-generative-ai': ({ model, apiKey }, text) => ({
    path: `/models/${model}:generateContent`,
    headers: { 'x-goog-api-key': apiKey },
    body: { contents: [{ role: 'user', parts: [{ text }] }] },
    text: (answer: { candidates: [{ content: { parts: [{ text: string }] } }] }) =>
      answer.candidates[0].content.parts[0].text,
  }),
};

const TRIES = 5;
const PAUSE_MS = 200;

/**
 * Returns the model's answer. Like other clients, it retries 429 and 5xx.
 * @param log called with the text of each failure
 * @throws Refused
 */
export async function ask(access: ModelAccess, prompt: string, log: (line: string) => void): Promise<string> {
  const shape = SHAPES[access.apiType]?.(access, prompt);
  if (shape === undefined)
    throw new Error(`unknown API_TYPE ${access.apiType}; use one of ${Object.keys(SHAPES).join(', ')}`);
  for (let tried = 1; ; tried++) {
    const reply = await fetch(`${access.baseUrl}${shape.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...shape.headers },
      body: JSON.stringify(shape.body),
    });
    const text = await reply.text();
    if (reply.ok) return access.stream ? streamed(text) : shape.text(JSON.parse(text) as never);
    log(`call failed: ${String(reply.status)} ${text}`);
    if ((reply.status !== 429 && reply.status < 500) || tried === TRIES) throw new Refused(reply.status, text);
    await sleep(PAUSE_MS * tried);
  }
}

function streamed(text: string): string {
  const chunks = [...text.matchAll(/^data: (\{.*\})$/gm)].map(
    ([, json = '']) => JSON.parse(json) as { choices: [{ delta: { content?: string } }] },
  );
  return chunks.map(({ choices }) => choices[0].delta.content ?? '').join('');
}
