import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * A model provider for tests, in the four APIs. The first part of the path is the script that it follows:
 * `/ok/…` answers, `/flaky/…` fails twice before it answers (429, 500), `/down/…` answers 500 and `/busy/…` 429.
 * An answer repeats what stands after `say:` in the prompt; each costs 100 tokens in (of them 40 from the cache) and 20
 * out. Without the right key it answers 401; what fails quotes the key it was sent, as careless providers do.
 * `GET /seen`: calls by script.
 */
const KEY = process.env['PROVIDER_KEY'] ?? '';
const seen: Record<string, number> = {};

const IN = 100;
const CACHED = 40;
const OUT = 20;

type Body = Record<string, unknown>;
const APIS: readonly { readonly path: RegExp; readonly answer: (text: string, model: string) => Body }[] = [
  {
    path: /\/chat\/completions$/,
    answer: (content, model) => ({
      id: 'c1',
      model,
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
      usage: CHAT_USAGE,
    }),
  },
  {
    path: /\/responses$/,
    answer: (text, model) => ({
      id: 'r1',
      model,
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
      usage: {
        input_tokens: IN,
        input_tokens_details: { cached_tokens: CACHED },
        output_tokens: OUT,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: IN + OUT,
      },
    }),
  },
  {
    path: /\/messages$/,
    answer: (text, model) => ({
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: IN - CACHED,
        cache_read_input_tokens: CACHED,
        cache_creation_input_tokens: 0,
        output_tokens: OUT,
      },
    }),
  },
  {
    path: /:generateContent$/,
    answer: (text, modelVersion) => ({
      responseId: 'g1',
      modelVersion,
      candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: IN,
        cachedContentTokenCount: CACHED,
        candidatesTokenCount: OUT,
        totalTokenCount: IN + OUT,
      },
    }),
  },
];
const CHAT_USAGE = {
  prompt_tokens: IN,
  prompt_tokens_details: { cached_tokens: CACHED },
  completion_tokens: OUT,
  total_tokens: IN + OUT,
};

/** Gemini's may be in the query. */
function keyOf({ headers, url = '/' }: IncomingMessage): string {
  const bearer = headers.authorization?.replace(/^Bearer /, '');
  return String(
    bearer ??
      headers['x-api-key'] ??
      headers['x-goog-api-key'] ??
      new URL(url, 'http://x').searchParams.get('key') ??
      '',
  );
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The status that the script has for its nth call, from 1. */
function scripted(script: string, n: number): number {
  if (script === 'down') return 500;
  if (script === 'busy') return 429;
  return script === 'flaky' ? ([429, 500][n - 1] ?? 200) : 200;
}

/** What the prompt asks to be said, wherever in the body the API has its prompt. */
function wanted(text: string): string {
  const found = /"say:((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  return found === undefined ? 'ready' : (JSON.parse(`"${found}"`) as string);
}

function stream(response: ServerResponse, text: string, model: string, usage: boolean): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (more: Body): void => void response.write(`data: ${JSON.stringify({ id: 'c1', model, ...more })}\n\n`);
  for (const content of text.match(/[^]{1,7}/g) ?? []) event({ choices: [{ index: 0, delta: { content } }] });
  if (usage) event({ choices: [], usage: CHAT_USAGE });
  response.end('data: [DONE]\n\n');
}

/** What refuses a call; null: it is answered. */
function refusal(path: string, key: string, text: string): { status: number; message: string } | null {
  if (key !== KEY) return { status: 401, message: `wrong key ${key}` };
  // A prompt of nobody's harness is the check before the batch: the script is for runs.
  if (!text.includes('"say:')) return null;
  const script = path.split('/')[1] ?? '';
  const n = (seen[script] ?? 0) + 1;
  seen[script] = n;
  const status = scripted(script, n);
  return status === 200 ? null : { status, message: `scripted failure for key ${key}` };
}

function answer(request: IncomingMessage, response: ServerResponse, text: string): void {
  const [path = ''] = (request.url ?? '').split('?');
  if (path === '/seen') return send(response, 200, seen);
  const api = APIS.find((one) => one.path.test(path));
  if (api === undefined || request.method !== 'POST') return send(response, 404, { error: { message: 'not here' } });
  const refused = refusal(path, keyOf(request), text);
  if (refused !== null) return send(response, refused.status, { error: { message: refused.message } });
  reply(response, api, text);
}

function reply(response: ServerResponse, api: (typeof APIS)[number], text: string): void {
  const body = JSON.parse(text) as { model?: string; stream?: boolean; stream_options?: { include_usage?: boolean } };
  const { model = 'a-version-of-it' } = body;
  if (body.stream === true) stream(response, wanted(text), model, body.stream_options?.include_usage === true);
  else send(response, 200, api.answer(wanted(text), model));
}

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => (text += chunk));
  request.on('end', () => {
    answer(request, response, text);
  });
});
server.listen(Number(process.env['PORT'] ?? '8082'), () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : '');
});
process.on('SIGTERM', () => process.exit(0));
